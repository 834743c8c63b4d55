import Primitives

// How text becomes roff.
extension Mdoc {
  /// Text with every special character escaped; without `keepsHyphens`, a hyphen becomes a minus.
  static func escaped(_ text: String, keepsHyphens: Bool) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\e"
      case "\"": result += "\\(dq"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "-": result += keepsHyphens ? "-" : "\\-"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
  }

  /// A text line: a period at its beginning does not start a macro.
  static func line(_ escaped: String) -> String {
    escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  /// The name of a page; its hyphens stay hyphens.
  static func name(_ name: String) -> String {
    escaped(name, keepsHyphens: true)
  }

  /// A word among the arguments of a macro: never a macro or a delimiter itself.
  static func argument(_ word: String) -> String {
    let escaped = escaped(word, keepsHyphens: false)
    let isSpecial =
      word.count <= 3 && word.allSatisfy { $0.isLetter } && word.first?.isUppercase == true
    let isDelimiter = word.count == 1 && ".,:;()[]?!|".containsText(word)
    let guarded = isSpecial || isDelimiter ? "\\&" + escaped : escaped
    return word.isEmpty || word.contains(" ") ? "\"\(guarded)\"" : guarded
  }
}

/// The date in the head of a manual page.
package struct ManualDate: Sendable, Hashable {
  /// As "November 5, 2025".
  let text: String

  /// A day of the Gregorian calendar; nil if the month or the day is out of range.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    text = "\(Self.months[month - 1]) \(day), \(year)"
  }

  /// The day of SOURCE_DATE_EPOCH; without it that of this version, so that pages differ only when the table does.
  package init?(sourceDateEpoch: String?) {
    let time = sourceDateEpoch.flatMap { Int64($0) }.map { Timestamp($0) } ?? Self.release
    let numbers = time.date.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// 2026-11-21.
  private static let release: Timestamp = 1_795_219_200

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
