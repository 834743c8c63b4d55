extension String {
  /// The text with the characters replaced that act in XML and HTML, in text and between double quotes.
  ///
  /// - Parameter apostrophes: whether an apostrophe is replaced too.
  /// - Returns: the text for the document.
  package func escapedForMarkup(apostrophes: Bool = false) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'" where apostrophes: escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
