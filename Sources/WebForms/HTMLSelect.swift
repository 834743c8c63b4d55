import Primitives

/// A list of choices while a page is read, and what a browser sends of it (HTML 4.10.7 and 4.10.10).
struct HTMLSelect {
  private struct Option {
    /// The value that the page gives it; `nil` if that is its text.
    let value: String?
    let isSelected: Bool
    let isDisabled: Bool
    var text = ""

    var sent: String {
      if let value { return value }
      return text.utf8.split(whereSeparator: \.isHTMLSpace).map { String(Substring($0)) }
        .joined(separator: " ")
    }
  }

  let attributes: [String: String]
  private var options: [Option] = []
  private var isInOption = false
  private var isInDisabledGroup = false

  init(_ attributes: [String: String]) { self.attributes = attributes }

  /// Begins an option, or a group of options.
  mutating func start(_ name: String, _ attributes: [String: String]) {
    let isDisabled = attributes["disabled"] != nil
    isInOption = name == "option"
    guard isInOption else {
      isInDisabledGroup = isDisabled
      return
    }
    options.append(
      Option(
        value: attributes["value"], isSelected: attributes["selected"] != nil,
        isDisabled: isDisabled || isInDisabledGroup))
  }

  mutating func add(_ text: String) {
    if isInOption { options[options.count - 1].text += text }
  }

  mutating func end(_ name: String) {
    isInOption = false
    if name == "optgroup" { isInDisabledGroup = false }
  }

  /// The values that are sent if nobody chooses others.
  var values: [String] {
    var chosen = options.filter(\.isSelected)
    if attributes["multiple"] == nil {
      // Of several the last counts. One line always shows a choice, several lines need not.
      chosen = chosen.suffix(1)
      if chosen.isEmpty, rows <= 1, let first = options.first(where: { !$0.isDisabled }) {
        chosen = [first]
      }
    }
    return chosen.filter { !$0.isDisabled }.map(\.sent)
  }

  private var rows: Int {
    let digits = (attributes["size"] ?? "").utf8.drop(while: \.isHTMLSpace).prefix(while: \.isDigit)
    return Int(Substring(digits)) ?? 1
  }
}
