import JSON
import Primitives
import SDKCore

/// What is printed about a request that waits for its certificate.
struct RequestReport {
  let request: RequestedIdentity

  init(_ request: RequestedIdentity) { self.request = request }

  /// The cells of a row, as of an identity: name, hosts, subject, condition and no expiry.
  var cells: [TextTable.Cell] {
    let hosts = request.hosts.map(\.description).joined(separator: ",")
    return [
      .init(request.name.description), .init(hosts.isEmpty ? "-" : hosts),
      .init(request.subject ?? "-"), .init(Self.condition), "-",
    ]
  }

  var lines: [String] {
    var lines = [
      "name:        \(request.name)",
      "hosts:       \(request.hosts.map(\.description).joined(separator: ", "))",
      "subject:     \(request.subject ?? "-")", "condition:   \(Self.condition)",
      "key:         \(request.keyType), \(request.key)",
    ]
    if let time = request.requestedAt { lines.append("requested:   \(time)") }
    if let uri = request.key.uri { lines.append("key URI:     \(uri)") }
    return lines
  }

  var json: JSON {
    var members: JSONObject = [
      "name": .string(request.name.description),
      "hosts": .strings(request.hosts.map(\.description)),
      "subject": JSON(request.subject),
      "condition": .string(Self.condition), "keyType": .string(request.keyType),
      "keyPlace": .string(request.key.description),
      "requested": JSON(request.requestedAt?.description),
    ]
    if let uri = request.key.uri { members["keyURI"] = .string(uri) }
    return .object(members)
  }

  private static let condition = "requested"
}
