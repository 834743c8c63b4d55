import HTTP
import JSON
import Primitives

/// One line of the report of a batch.
struct BatchRow {
  let number: Int
  let id: JSON?
  var duration: Duration?
  var failure: Failure?
  var response: HTTPResponse?
  /// The metrics of a transfer that failed.
  var measured = Measured()
  /// The file of the body; `nil` if the line has the body.
  var file: BatchBodyFile?

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
      writer.write("exit", number: Int((failure?.exit ?? .success).rawValue))
      if let response {
        writer.writeName("headers")
        writer.writeObject { writeFields(of: response, to: &$0) }
      }
      writer.write("id", id)
      writer.write("identity", text: response?.clientIdentity)
      writer.write("line", number: number)
      // A 304 leaves the file as it is.
      writer.write("output", text: response?.status == 304 ? nil : file?.path)
      if let duration { writer.write("seconds", seconds: duration) }
      guard let response else { return }
      writer.write("status", number: response.status)
      writer.write("url", text: response.url.description)
      writer.write("version", text: response.version)
    }
    writer.endLine()
  }

  private func writeBody(to writer: inout JSONWriter) {
    guard let response else { return }
    let body = file?.body ?? response.body
    guard file == nil || !body.isEmpty else { return }
    if let text = body.withUnsafeBytes({ String(utf8: $0) }) {
      writer.write("body", text: text)
    } else {
      writer.write("bodyBase64", text: Base64.encode(body))
    }
  }

  private func writeFields(of response: HTTPResponse, to writer: inout JSONWriter) {
    var fields: [(name: String, value: String)] = []
    fields.reserveCapacity(response.fields.count)
    for field in response.fields { fields.append((field.name.asciiLowercased, field.value)) }
    // The names are ASCII, so the order of texts is that of bytes; the sort keeps the order of values.
    if fields.count > 1 { fields.sort { $0.name < $1.name } }
    var index = 0
    while index < fields.count {
      let name = fields[index].name
      writer.writeArray(name) { writer in
        while index < fields.count, fields[index].name == name {
          writer.writeElement(fields[index].value)
          index += 1
        }
      }
    }
  }
}
