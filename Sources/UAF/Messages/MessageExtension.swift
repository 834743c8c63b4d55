package import JSON
import Primitives

/// An extension of a message (dictionary `Extension`); this client supports none.
package struct MessageExtension: Sendable, Hashable {
  package let id: String
  /// Any text; binary data is base64url.
  package let data: String
  /// Whether a client that does not know the extension must refuse the message.
  package let failIfUnknown: Bool

  package init(id: String, data: String, failIfUnknown: Bool) {
    self.id = id
    self.data = data
    self.failIfUnknown = failIfUnknown
  }

  /// The dictionary.
  package var json: JSON {
    ["id": .string(id), "data": .string(data), "fail_if_unknown": .bool(failIfUnknown)]
  }
}

extension MessageReader {
  /// The extensions of `exts`; none if the member is absent.
  func extensions() throws(UAFError) -> [MessageExtension] {
    var list: [MessageExtension] = []
    for value in try optionalArray("exts") ?? [] {
      let reader = try MessageReader(value, "an extension of \(subject)")
      list.append(
        MessageExtension(
          id: try reader.text("id", atMost: 32),
          data: try reader.possiblyEmptyText("data", atMost: Limits.extensionData),
          failIfUnknown: try reader.bool("fail_if_unknown")))
    }
    return list
  }

  /// The extensions of `exts`, none of which this client must know.
  ///
  /// The code of a required extension is ``ClientErrorCode/unknown``, as the conformance tests of the
  /// FIDO Alliance expect.
  func optionalExtensions() throws(UAFError) -> [MessageExtension] {
    let list = try extensions()
    if let unknown = list.first(where: \.failIfUnknown) {
      throw UAFError(
        .unknown,
        "\(subject) requires the extension '\(VisibleText.of(unknown.id))', which is not supported")
    }
    return list
  }
}
