import JSON

/// How the results of many tokens are printed.
enum BulkForm: Sendable {
  /// For people, with colours or without.
  case text(colours: Bool)
  case json
  /// One value of each, for `--field`.
  case field(FieldSelection)

  init(_ context: Context) {
    if let field = context.field {
      self = .field(field)
    } else {
      self = context.globals.json ? .json : .text(colours: context.wantsColours)
    }
  }

  /// Whether each token has an object, which may say why it failed.
  var isJSON: Bool {
    if case .json = self { true } else { false }
  }

  /// Whether text has colours.
  var colours: Bool {
    if case .text(let colours) = self { colours } else { false }
  }

  /// The lines for an opaque token of a token response.
  ///
  /// A field that only the other tokens have is an empty line.
  func opaqueLines(_ token: FoundToken, amongJWTs: Bool) -> String {
    let document = FoundToken.opaqueRows.json(token)
    if amongJWTs, case .field(let field) = self, !field.isFound(in: document) { return "\n" }
    return lines(document, text: token.opaqueText)
  }

  /// The lines for one result.
  ///
  /// `fallback` makes a document with further values for `--field`.
  func lines(
    _ document: @autoclosure () -> JSON, text: @autoclosure () -> String,
    layout: JSON.Layout = .compact, fallback: () -> JSON? = { nil }
  ) -> String {
    switch self {
    case .text: text()
    case .json: document().serialized(layout) + "\n"
    case .field(let field):
      field.lines(of: document(), fallback: fallback).map { Visible.line($0) + "\n" }.joined()
    }
  }
}

extension FoundToken {
  /// An opaque token of a token response.
  static let opaqueRows = Rows<FoundToken>(
    .member("name", "the member") { $0.name ?? "" }, .member("opaque", "true") { _ in true })
}
