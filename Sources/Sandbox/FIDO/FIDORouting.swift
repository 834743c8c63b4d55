import HTTP
import JSON

extension Routes {
  /// Adds paths with the methods that they have; each other method is refused (405).
  mutating func addFIDO(
    _ paths: [String], _ endpoint: Endpoint, _ handlers: [HTTPMethod: Handler]
  ) {
    let allowed = handlers.keys.map(\.name).sorted().joined(separator: ", ")
    for path in paths {
      for method in [HTTPMethod.get, .post, .put, .patch, .delete] {
        let handler =
          handlers[method] ?? { _ in
            Response.json(["error": "method_not_allowed"], status: .methodNotAllowed)
              .with(.allow, allowed)
          }
        on(method, String(path), endpoint) { exchange in
          do { return try await handler(exchange) } catch let refusal as UAFRefusal {
            return refusal.answer
          }
        }
      }
    }
  }

  /// Adds a path that takes POST, below each prefix that servers of this kind have.
  mutating func addUAF(_ path: String, _ endpoint: Endpoint, _ handler: @escaping Handler) {
    addFIDO(["/nevisfido" + path, path], endpoint, [.post: handler])
  }
}

/// The media types of FIDO UAF over HTTP.
enum FIDOMedia {
  static let uaf = "application/fido+uaf"
  static let json = "application/json"
}

extension Exchange {
  /// Refuses a request whose media types are not those of its endpoint (406, 415).
  func requireMedia(accept: String?, content: String) throws(OAuthError) {
    if let accept {
      let types = (request.headers[.accept] ?? "").split(separator: ",").map { Self.bare($0) }
      guard types.contains(accept) else {
        throw OAuthError("not_acceptable", "the field Accept must be \(accept)", status: 406)
      }
    }
    let given = (request.headers[.contentType] ?? "").lowercased()
    let charset = given.split(separator: ";").dropFirst()
      .map { $0.filter { !" \"".contains($0) } }.first { $0.hasPrefix("charset=") }
    let isText = charset == "charset=utf-8" || (content == FIDOMedia.json && charset == nil)
    guard Self.bare(given[...]) == content, isText else {
      throw OAuthError(
        "unsupported_media_type", "the field Content-Type must be \(content);charset=UTF-8",
        status: 415)
    }
  }

  /// A media type without its parameters.
  private static func bare(_ text: some StringProtocol) -> String {
    String((text.split(separator: ";").first ?? "").filter { $0 != " " }).lowercased()
  }

  /// The JSON object in the body of a request for the UAF server; anything else is refused (400).
  func fidoObject() async throws -> JSONObject {
    let bytes = try body(Self.mostJSONBytes)
    guard let object = (try? JSON(parsing: bytes))?.object else {
      throw OAuthError.invalidRequest("the body must be a JSON object")
    }
    return object
  }
}
