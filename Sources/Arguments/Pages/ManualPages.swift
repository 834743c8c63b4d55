import Primitives

/// A file of the manual.
package struct ManualPage: Sendable, Hashable {
  /// As "sdkctl-pin-add.1".
  package let name: String

  package let text: String
}

extension CommandCatalog {
  /// All pages: the program, one for each visible command and subcommand, format of files and topic.
  package func pages(date: ManualDate) -> [ManualPage] {
    let writer = PageWriter(catalog: self, date: date)
    let name = program.name
    return [ManualPage(name: "\(name).1", text: writer.program())]
      + visibleEntries.flatMap { [$0] + $0.visibleSubcommands.map(Entry.init) }.map {
        ManualPage(name: "\(page(of: .command($0.path)).name).1", text: writer.command($0))
      }
      + formats.map { ManualPage(name: "\(name)-\($0.topic.name).5", text: writer.format($0)) }
      + topics.map { ManualPage(name: "\(name)-\($0.name).7", text: writer.topic($0)) }
  }
}

/// The date in the head of a manual page.
package struct ManualDate: Sendable, Hashable {
  /// As "November 5, 2025".
  let text: String

  /// The day of SOURCE_DATE_EPOCH; without it that of this version, so that pages differ only when the table does.
  package init(sourceDateEpoch: String?) {
    let time = sourceDateEpoch.flatMap { Int64($0) }.map { Timestamp($0) } ?? Self.release
    let numbers = time.date.split(separator: "-").compactMap { Int($0) }
    text = "\(Self.months[numbers[1] - 1]) \(numbers[2]), \(numbers[0])"
  }

  /// 2026-11-21.
  private static let release: Timestamp = 1_795_219_200

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
