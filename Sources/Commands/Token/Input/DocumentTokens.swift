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
      if tokens.isEmpty, isOpaque { add(text, path) }
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

/// The compact form of a token in JSON (RFC 7515 section 7.2, RFC 7516 section 7.2), as the program
/// `jose` writes it; `nil` if it has none.
///
/// There is none if a header is not protected, if there are several signatures or recipients, or
/// with further authenticated data.
func compactForm(of document: JSON) -> String? {
  document["ciphertext"] == nil ? signedForm(of: document) : encryptedForm(of: document)
}

private func signedForm(of document: JSON) -> String? {
  // The members of the two forms exclude each other (RFC 7515 section 7.2.2).
  guard document["signatures"] == nil || document["signature"] ?? document["protected"] == nil
  else { return nil }
  guard let payload = document["payload"]?.string,
    let signed = onlyElement(of: "signatures", in: document), signed["header"] == nil,
    let protected = signed["protected"]?.string, let signature = signed["signature"]?.string
  else { return nil }
  return "\(protected).\(payload).\(signature)"
}

private func encryptedForm(of document: JSON) -> String? {
  guard document["recipients"] == nil || document["encrypted_key"] == nil else { return nil }
  guard let protected = document["protected"]?.string, document["unprotected"] == nil,
    document["aad"] == nil, let recipient = onlyElement(of: "recipients", in: document),
    recipient["header"] == nil, let iv = document["iv"]?.string,
    let ciphertext = document["ciphertext"]?.string, let tag = document["tag"]?.string
  else { return nil }
  let key = recipient["encrypted_key"]?.string ?? ""
  return "\(protected).\(key).\(iv).\(ciphertext).\(tag)"
}

/// The one element of the general form; the document itself in the flattened form.
private func onlyElement(of list: String, in document: JSON) -> JSON? {
  guard let elements = document[list] else { return document }
  guard let array = elements.array, array.count == 1 else { return nil }
  return array[0]
}

func isTokenInJSON(_ text: String) -> Bool {
  guard text.utf8.first == UInt8(ascii: "{"), let document = try? JSON(parsing: text) else {
    return false
  }
  return document["ciphertext"] != nil || document["signatures"] != nil
    || document["signature"] != nil
      && ["payload", "protected", "header"].contains { document[$0] != nil }
}

/// Whether a token in JSON is signed, but does not have what was signed.
func isDetached(_ text: String) -> Bool {
  guard let document = try? JSON(parsing: text) else { return false }
  return document["ciphertext"] == nil && document["payload"] == nil
}
