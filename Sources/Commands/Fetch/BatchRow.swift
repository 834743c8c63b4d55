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
  /// The file of the body; `nil` if the line has the body.
  var file: BatchBodyFile?

  init(line: Int, id: JSON?, duration: Duration? = nil, failure: Failure? = nil) {
    number = line
    self.id = id
    self.duration = duration
    self.failure = failure
  }

  /// The line of the report.
  var json: JSON {
    var members = JSON.members([
      "error": failure?.json, "exit": .int(Int64((failure?.exit ?? .success).rawValue)),
      "fields": response?.fields.json, "id": id,
      "identity": response?.clientIdentity.map { .string($0) }, "line": .int(Int64(number)),
      // A 304 leaves the file as it is.
      "output": response?.status == 304 ? nil : file.map { .string($0.path) },
      "seconds": duration.map { .seconds($0) }, "status": response.map { .int(Int64($0.status)) },
      "url": response.map { .string($0.url.description) },
      "version": response.map { .string($0.version) },
    ])
    if let response, file == nil || file?.body.isEmpty == false {
      let body = file?.body ?? response.body
      let (member, value) = response.content(body)
      members[member] = value
    }
    return members
  }
}
