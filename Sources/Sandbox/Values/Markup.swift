import Primitives

/// Text made safe for an HTML document.
func html(_ text: some StringProtocol) -> String {
  String(text).escapedForMarkup(apostrophes: true)
}
