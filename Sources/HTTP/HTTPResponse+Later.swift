import Primitives

// What a response says about another try.
extension HTTPResponse {
  /// Whether the status says that the same request may succeed later.
  package var asksForLater: Bool { [408, 425, 429].contains(status) || status >= 500 }

  /// The seconds that `Retry-After` asks to wait, a date as compared with the `Date` of the response; `nil` if
  /// it asks for nothing.
  package var pause: Int64? {
    guard asksForLater || isRedirect else { return nil }
    let sent = fields["Date"].flatMap { HTTPDate.read($0) }
    let isDate = fields["Retry-After"]?.utf8.first?.isDigit == false
    guard !isDate || sent != nil else { return nil }
    return retryAfter(at: sent ?? 0)?.components.seconds
  }

  /// `returned 429`, with what `Retry-After` says.
  package var returned: String {
    "returned \(status)" + (pause.map { ", and asks to wait \($0) s" } ?? "")
  }
}
