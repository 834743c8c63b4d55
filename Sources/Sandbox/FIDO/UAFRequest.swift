import JSON
import Primitives

/// A request of the UAF server that waits for its response.
struct UAFRequest: Sendable {
  enum Operation: String, Sendable {
    case registration = "Reg"
    case authentication = "Auth"
    case deregistration = "Dereg"
  }

  let operation: Operation
  let challenge: String
  let serverData: String
  let applicationID: String
  /// The person; none if anybody may authenticate.
  let subject: String?
  let transaction: Transaction?
  /// The models that the policy accepts.
  let models: [String]
  let expiresAt: Int

  /// What the person has to confirm.
  struct Transaction: Sendable {
    let contentType: String
    let content: [UInt8]

    /// A text, or an image for the text `png`.
    init(_ text: String) {
      guard text == "png" else {
        contentType = "text/plain"
        content = Array(text.utf8)
        return
      }
      contentType = "image/png"
      content = Self.image
    }

    /// The member of a request; an image has its characteristics with it.
    var json: JSON {
      var members: JSONObject = [
        "contentType": .string(contentType), "content": .string(Base64URL.encode(content)),
      ]
      if contentType == "image/png" {
        members["tcDisplayPNGCharacteristics"] = [
          "width": 1, "height": 1, "bitDepth": 8, "colorType": 0, "compression": 0, "filter": 0,
          "interlace": 0,
        ]
      }
      return .object(members)
    }

    /// One grey point.
    private static let image =
      Base64.decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJ"
          + "RU5ErkJggg=="
      ) ?? []
  }
}
