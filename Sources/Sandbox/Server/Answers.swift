import JSON

extension Response {
  /// A JSON document that no cache keeps.
  static func json(_ json: JSON, status: HTTPStatus = .ok) -> Response {
    bytes(json.serializedBytes(), type: "application/json", status: status)
  }

  static func text(_ text: String, status: HTTPStatus = .ok) -> Response {
    bytes(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
  }

  static func bytes(
    _ bytes: [UInt8], type: String, status: HTTPStatus = .ok
  ) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"], body: .bytes(bytes))
  }

  /// Sends the browser on with GET.
  static func seeOther(_ address: String) -> Response {
    Response(
      status: .seeOther,
      headers: [.location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
  }

  /// The same answer with one more field.
  func with(_ name: FieldName, _ value: String) -> Response {
    var answer = self
    answer.headers.append(name, value)
    return answer
  }
}
