import Arguments

// The headings of options in help and manual. Options without one are the most important ones.
extension Heading {
  static let parameters = Heading("Parameters")
  static let response = Heading("Response")
}
