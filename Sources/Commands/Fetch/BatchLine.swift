import HTTP
import JSON
import Primitives
import SDKCore

/// One line of a batch: a JSON object with the members of a resource request, or a path or URL.
struct BatchLine {
  let id: JSON?
  let access: Access?
  let output: String?
  let request: ResourceRequest

  /// Reads a line; `headers` are the fields that the request has unless the line has them.
  init(_ bytes: [UInt8], headers: [(name: String, value: String)]) throws(BatchLineError) {
    let members = try Self.members(bytes)
    let id = members["id"]
    do throws(BatchLineError) {
      let reader = BatchMembers(members)
      if let unknown = reader.name(notIn: Self.names) {
        throw BatchLineError("the member '\(unknown)' is unknown")
      }
      access = try reader.choice("access", Access.init(rawValue:), Access.allCases.map(\.rawValue))
      output = try reader.text("output")
      guard let path = try reader.text("path"), !path.isEmpty else {
        throw BatchLineError("the member 'path' is missing")
      }
      let body = try reader.body()
      let form = try reader.form()
      let isPlain = body == nil && form.isEmpty
      let parameters = try reader.parameters()
      var request = ResourceRequest(
        try reader.text("method") ?? (isPlain ? "GET" : "POST"), path,
        headers: try reader.headers(before: headers), parameters: parameters.text,
        encoding: try reader.encoding(), body: body?.body, timeout: try reader.timeout())
      request.jsonParameters = parameters.json
      request.multipart = form
      if let type = body?.type, !request.headers.contains(where: { $0.name.isContentType }) {
        request.headers.append(("Content-Type", type))
      }
      self.request = request
    } catch {
      throw BatchLineError(error.message, id: id)
    }
    self.id = id
  }

  /// How long a line may be: 16 MiB.
  static let maximumByteCount = 1 << 24

  private static func members(_ bytes: [UInt8]) throws(BatchLineError) -> JSONObject {
    guard bytes.count <= maximumByteCount else {
      throw BatchLineError("the line is longer than 16 MiB")
    }
    if let members = try target(bytes) { return members }
    let line: JSON
    do throws(JSONError) {
      line = try JSON(parsing: bytes)
    } catch {
      throw BatchLineError("\(error.message), at column \(error.column)")
    }
    guard let members = line.object else { throw BatchLineError("the line is not a JSON object") }
    return members
  }

  /// The members of a line that is a path or a URL; `nil` for any other.
  private static func target(_ bytes: [UInt8]) throws(BatchLineError) -> JSONObject? {
    let text = bytes[...].trimmingSpace
    guard let first = text.first, !"{[\"".utf8.contains(first) else { return nil }
    guard text.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      let path = String(validating: text, as: UTF8.self)
    else {
      throw BatchLineError("the line is neither a JSON object nor a path or URL")
    }
    guard !ResourceRequest.looksLikeHost(path) else {
      throw BatchLineError("a URL begins with https://, and a path of the profile with /")
    }
    return ["path": .string(path)]
  }

  private static let names: [Identifier] = [
    "id", "access", "output", "path", "method", "headers", "parameters", "parametersEncoding",
    "body", "bodyBase64", "bodyFile", "multipart", "timeout",
  ]
}

struct BatchLineError: Error {
  let message: String
  var id: JSON?

  init(_ message: String, id: JSON? = nil) {
    self.message = message
    self.id = id
  }
}

extension String {
  fileprivate var isContentType: Bool { asciiLowercased == "content-type" }
}
