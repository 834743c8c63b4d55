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
      + visibleEntries.flatMap { entry in
        [ManualPage(name: "\(name)-\(entry.page.name).1", text: writer.command(entry))]
          + entry.visibleSubcommands.map {
            ManualPage(name: "\(page(of: .command($0.path)).name).1", text: writer.command($0))
          }
      }
      + formats.map { ManualPage(name: "\(name)-\($0.topic.name).5", text: writer.format($0)) }
      + topics.map { ManualPage(name: "\(name)-\($0.name).7", text: writer.topic($0)) }
  }
}
