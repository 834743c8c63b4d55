import JSON

/// A refusal by the UAF server, with the status code of FIDO UAF (HTTP transport profile).
struct UAFRefusal: Error, Sendable, Equatable {
  let status: Int
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func content(_ reason: String) -> UAFRefusal { .init(1498, reason) }

  /// The response: HTTP has no error of its own for it.
  var answer: Response {
    .uaf(["statusCode": .int(status), "description": .string(reason)])
  }
}

extension Response {
  /// A message of FIDO UAF.
  static func uaf(_ json: JSON) -> Response {
    .bytes(json.serializedBytes(), type: "application/fido+uaf;charset=UTF-8")
  }
}
