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

  /// Writes the line of the report: an object with sorted names.
  func write(to writer: inout JSONWriter) {
    writer.writeObject { writer in
      writeBody(to: &writer)
      writer.write("error", failure?.json)
      writer.write("exit", .int(Int64((failure?.exit ?? .success).rawValue)))
      if let response {
        writer.writeName("headers")
        writer.writeObject { writeFields(of: response, to: &$0) }
      }
      writer.write("id", id)
      writer.write("identity", response?.clientIdentity.map { .string($0) })
      writer.write("line", .int(Int64(number)))
      writer.write("output", text: target?.path)
      writer.write("seconds", duration.flatMap { .seconds($0) })
      guard let response else { return }
      writer.write("status", .int(Int64(response.status)))
      writer.write("url", text: response.url.description)
      writer.write("version", text: response.version)
    }
    writer.endLine()
  }

  private func writeBody(to writer: inout JSONWriter) {
    guard let response else { return }
    let body = target?.body ?? response.body
    guard target == nil || !body.isEmpty else { return }
    if let text = String(validating: body, as: UTF8.self) {
      writer.write("body", text: text)
    } else {
      writer.write("bodyBase64", text: Base64.encode(body))
    }
  }

  private func writeFields(of response: HTTPResponse, to writer: inout JSONWriter) {
    // The names are ASCII, so the order of texts is that of bytes; the sort keeps the order of values.
    let fields = response.fields.map { (name: $0.name.asciiLowercased, value: $0.value) }
      .sorted { $0.name < $1.name }
    var rest = fields[...]
    while let name = rest.first?.name {
      let values = rest.prefix { $0.name == name }
      writer.write(name, texts: values.map { $0.value })
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
