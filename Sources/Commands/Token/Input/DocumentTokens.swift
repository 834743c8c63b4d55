import JSON
import Primitives

/// The tokens that are anywhere in a JSON document, such as an HTTP archive: each one once, named by the path of its
/// first place.
struct DocumentTokens {
  private(set) var found: [FoundToken] = []
  private var places: [String: Int] = [:]

  init(_ document: JSON) { search(document, "", nil) }

  private mutating func search(_ value: JSON, _ path: String, _ member: String?) {
    switch value {
    case .object(let members):
      if let compact = compactForm(of: value) { return add(compact, path) }
      for (name, value) in members.sorted { search(value, JSON.path(path, name), name) }
    case .array(let elements):
      for (index, value) in elements.enumerated() {
        search(value, JSON.path(path, "\(index)"), nil)
      }
    case .string(let text):
      let tokens = PastedTokens.found(in: Array(text.utf8)[...]) ?? []
      for token in tokens { add(token.text, path) }
      let isOpaque = ["access_token", "id_token", "refresh_token"].contains(member ?? "")
      if tokens.isEmpty, isOpaque || PastedTokens.isAlone(text) { add(text, path) }
    default: break
    }
  }

  private mutating func add(_ text: String, _ path: String) {
    if let index = places[text] {
      found[index].copyCount += 1
    } else {
      places[text] = found.count
      found.append(FoundToken(name: path, text: text))
    }
  }
}
