import HTTP
import JSON
import Primitives

/// A response as `fetch --json` and a line of `fetch --batch` print it.
struct ResponseReport: Sendable {
  /// `nil` if none came.
  let response: HTTPResponse?
  /// The file of the body; `nil` if no file was written.
  let file: String?
  let duration: Duration?
  private var text: JSON?
  private var base64: String?

  /// Makes a report; without a body the file has it.
  init(_ response: HTTPResponse?, body: [UInt8]?, file: String?, after duration: Duration?) {
    (self.response, self.file, self.duration) = (response, body == nil ? file : nil, duration)
    guard let response, let body else { return }
    if response.isJSON, let document = try? JSON(parsing: body.withoutByteOrderMark) {
      text = document
    } else if let content = String(validating: body, as: UTF8.self) {
      text = .string(content)
    } else {
      base64 = Base64.encode(body)
    }
  }

  static let rows = Rows<ResponseReport>(
    .member("status", "the HTTP status") { $0.response.map { Int64($0.status) } },
    .member("version", "the version of HTTP") { $0.response?.version },
    .member("url", "the URL, after redirects") { $0.response?.url.description },
    .member("fields", "arrays of values by name in lower case") { $0.response?.fields.json },
    .member("body", "JSON if the server says so, else text") { $0.text },
    .member("bodyBase64", "a body that is neither") { $0.base64 },
    .member("output", "the file of the body") { $0.file },
    .member("identity", "the client certificate that could be shown") {
      $0.response?.clientIdentity
    },
    .member("seconds", "how long it took") { $0.duration.map(JSON.seconds) })
}

extension TransferReport {
  /// The document of `fetch --json`.
  static let rows = Rows<TransferReport>(
    ResponseReport.rows.of { $0.shown } + [
      .member("size", "the bytes of the body that were written, decoded") { $0.written },
      .object("bytes", "the bytes that were sent and received", isOptional: false, byteRows) {
        $0.metrics
      },
      .object("times", "seconds from the start", isOptional: false, timeRows) { $0.metrics },
      .member("redirects", "their number") { Int64($0.metrics.redirects) },
      .member("remoteAddress", "the address of the server") { $0.metrics.remote?.address },
      .member("tls", "the version of TLS") { $0.metrics.tls },
      .member("pins", "`matched`, `mismatched` or `unpinned`") { $0.metrics.pins?.rawValue },
    ])

  private static let byteRows = Rows<TransferMetrics>(
    .member("body", "received") { $0.downloaded },
    .member("header", "received") { Int64($0.headerSize) },
    .member("sentBody", "sent") { $0.uploaded },
    .member("sentHeader", "sent") { Int64($0.requestSize) })

  private static let timeRows = Rows<TransferMetrics>(
    .member("nameLookup", "the address is known") { JSON.seconds($0.nameLookup) },
    .member("connect", "the connection is open") { JSON.seconds($0.connect) },
    .member("handshake", "TLS is ready") { JSON.seconds($0.handshake) },
    .member("firstByte", "the response begins") { JSON.seconds($0.startTransfer) },
    .member("redirects", "what redirects took before that") { JSON.seconds($0.redirect) })
}

/// The result of one request of a batch.
struct BatchRow: Sendable {
  let line: Int
  let id: JSON?
  var failure: Failure?
  var report = ResponseReport(nil, body: nil, file: nil, after: nil)

  static let rows = Rows<BatchRow>(
    [
      .member("line", "the number of the line of the request, from 1") { Int64($0.line) },
      .member("id", "as in the request") { $0.id },
      .member("exit", "the exit status that the request alone would have had") {
        Int64(($0.failure?.exit ?? .success).rawValue)
      },
      .member("error", "what failed, as in JSON errors") { $0.failure?.json },
    ] + ResponseReport.rows.of { $0.report })
}

/// What `fetch --paginate` has fetched.
struct PagesReport {
  let count: Int
  let next: String?
  let file: String?
  let body: JSON?

  static let rows = Rows<PagesReport>(
    .member("pages", "their number") { Int64($0.count) },
    .member("next", "the URL of the first page that was not fetched") { $0.next },
    .member("body", "the array of `--slurp`") { $0.body },
    .member("output", "the file of the pages") { $0.file })
}

extension HTTPFields {
  /// The fields as curl's `%{header_json}`: names in lower case, values in arrays.
  var json: JSON {
    .members(
      Dictionary(grouping: self, by: \.name.asciiLowercased).mapValues {
        .strings($0.map(\.value))
      })
  }
}

extension JSON {
  /// Seconds with six digits after the point.
  static func seconds(_ duration: Duration) -> JSON {
    (try? JSON(parsing: duration.seconds(digits: 6))) ?? 0
  }
}
