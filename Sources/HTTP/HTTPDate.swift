package import Primitives

extension Timestamp {
  /// Reads a date of a header field in each of the three forms that a recipient must accept (RFC
  /// 9110 section 5.6.7).
  ///
  /// They are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`. The name of the day is not compared with the date.
  package init?(httpDate text: String) {
    guard text.isASCII else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    switch words.count {
    case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
      self.init(day: words[1], month: words[2], year: words[3], time: words[4])
    case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard date.count == 3, let year = CookieDate.fullYear(ofTwoDigits: date[2]) else {
        return nil
      }
      self.init(day: date[0], month: date[1], year: "\(year)", time: words[2])
    case 6 where words[2].isEmpty && words[3].utf8.count == 1:
      self.init(day: "0" + words[3], month: words[1], year: words[5], time: words[4])
    case 5:
      self.init(day: words[2], month: words[1], year: words[4], time: words[3])
    default: return nil
    }
  }

  private init?(day: Substring, month: Substring, year: Substring, time: Substring) {
    guard day.utf8.count == 2, year.utf8.count == 4, time.utf8.count == 8,
      let month = Self.months.firstIndex(of: month)
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init("\(year)-\(number)-\(day)T\(time)Z")
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
