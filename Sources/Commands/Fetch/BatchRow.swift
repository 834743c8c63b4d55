import HTTP
import JSON
import Primitives

/// What is reported of one request of a batch.
struct BatchRow {
  let number: Int
  let id: JSON?
  var duration: Duration?
  var failure: Failure?
  var response: HTTPResponse?
  var target: BatchTarget?

  init(line: Int, id: JSON?, duration: Duration? = nil, failure: Failure? = nil) {
    number = line
    self.id = id
    self.duration = duration
    self.failure = failure
  }

  /// The line of the report: an object with sorted names.
  var line: [UInt8] {
    // Without a `JSONObject`: with ten thousand lines its making takes as long as everything else.
    var writer = JSONWriter()
    writer.writeObject { writer in
      writeBody(to: &writer)
      writer.write("error", failure?.json)
      writer.write("exit", .int(Int64((failure?.exit ?? .success).rawValue)))
      if let response {
        writer.writeName("headers")
        writer.writeObject { writeFields(of: response, to: &$0) }
      }
      writer.write("id", id)
      writer.write("line", .int(Int64(number)))
      writer.write("output", target.map { .string($0.path) })
      writer.write("seconds", duration.flatMap { .seconds($0) })
      guard let response else { return }
      writer.write("status", .int(Int64(response.status)))
      writer.write("url", .string(response.url.description))
      writer.write("version", .string(response.version))
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private func writeBody(to writer: inout JSONWriter) {
    guard let response else { return }
    let body = target?.body ?? response.body
    guard target == nil || !body.isEmpty else { return }
    if let text = String(validating: body, as: UTF8.self) {
      writer.write("body", .string(text))
    } else {
      writer.write("bodyBase64", .string(Base64.encode(body)))
    }
  }

  private func writeFields(of response: HTTPResponse, to writer: inout JSONWriter) {
    let fields = response.fields.enumerated().map {
      (name: Identifier($1.name.asciiLowercased), place: $0, value: $1.value)
    }.sorted { ($0.name, $0.place) < ($1.name, $1.place) }
    var rest = fields[...]
    while let name = rest.first?.name {
      let values = rest.prefix { $0.name == name }
      writer.write(name.text, .array(values.map { .string($0.value) }))
      rest = rest.dropFirst(values.count)
    }
  }
}

extension JSON {
  /// A duration in seconds, to the microsecond.
  fileprivate static func seconds(_ duration: Duration) -> JSON? {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return JSONNumber(Double(microseconds) / 1_000_000).map { .number($0) }
  }
}
