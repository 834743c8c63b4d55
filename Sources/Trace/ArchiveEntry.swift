import HTTP
import JSON
import Primitives

/// An exchange as an entry of an HTTP archive (HAR 1.2), without secrets.
///
/// What is shown of it is decided by ``ExchangeText``, as for the lines of a trace.
struct ArchiveEntry {
  let text: ExchangeText
  let request: HTTPRequest
  let sent: TracedBody
  let response: HTTPResponse?
  let received: TracedBody
  let error: TransportError?
  let end: Timestamp

  var json: JSON {
    let metrics = response?.metrics ?? error?.metrics ?? TransferMetrics()
    let (timings, total) = Self.timings(metrics)
    return .members([
      "startedDateTime": .string((end - total / 1000).description), "time": .int(total),
      "request": requestJSON, "response": responseJSON, "cache": [:],
      "timings": timings,
      "serverIPAddress": metrics.remote.map { .string($0.address) },
      "comment": error.map { .string(text.redacted($0.message)) },
    ])
  }

  private var requestJSON: JSON {
    let url = text.url(request.url)
    let query = url.firstIndex(of: "?").map { String(url[$0...].dropFirst()) } ?? ""
    return .members([
      "method": .string(request.method.name), "url": .string(url),
      "httpVersion": .string(response?.version ?? "HTTP/1.1"), "cookies": [],
      "headers": fields(request.fields),
      "queryString": .array(
        (FormParameters(encoded: query) ?? [:]).map {
          ["name": .string($0.name), "value": .string($0.value)]
        }),
      "headersSize": -1, "bodySize": .int(Int64(sent.count)),
      "postData": postData,
    ])
  }

  /// The body of the request; decoded parameters are no text that was sent.
  private var postData: JSON? {
    guard sent.count > 0 else { return nil }
    let type = request.fields["Content-Type"]
    let shownType = JSON.string(text.redacted(type ?? ""))
    guard let parameters = text.parameters(sent, type) else {
      return ["mimeType": shownType, "text": .string(body(sent, request.fields))]
    }
    let pairs = parameters.map { pair -> JSON in
      ["name": .string(pair.name), "value": .string(pair.value)]
    }
    return ["mimeType": shownType, "params": .array(pairs)]
  }

  private var responseJSON: JSON {
    let fields = response?.fields ?? []
    return [
      "status": .int(Int64(response?.status ?? 0)),
      "statusText": .string(text.secrets.redacted(response?.reason ?? "")),
      "httpVersion": .string(response?.version ?? ""), "cookies": [],
      "headers": self.fields(fields),
      "content": [
        "size": .int(Int64(received.count)),
        "mimeType": .string(text.redacted(fields["Content-Type"] ?? "")),
        "text": .string(body(received, fields)),
      ],
      "redirectURL": .string(fields["Location"].map { text.redacted($0) } ?? ""),
      "headersSize": -1, "bodySize": .int(Int64(received.count)),
    ]
  }

  /// The fields with what a trace shows of them; the lines of decoded tokens are left out.
  private func fields(_ fields: HTTPFields) -> JSON {
    .array(
      fields.map { field in
        let name = text.name(of: field)
        let line = text.lines([field], TracedBody()).first ?? ""
        return [
          "name": .string(name), "value": .string(String(line.dropFirst(name.count + 2))),
        ]
      })
  }

  private func body(_ body: TracedBody, _ fields: HTTPFields) -> String {
    text.body(body, fields["Content-Type"]).dropFirst().joined(separator: "\n")
  }

  /// Milliseconds of each phase, -1 for one that did not take place, and their sum.
  private static func timings(_ metrics: TransferMetrics) -> (phases: JSON, total: Int64) {
    var total: Int64 = 0
    func phase(until end: Duration) -> Int64 {
      let start = total
      total = max(start, end.milliseconds)
      return total - start
    }
    let isNew = metrics.connect != .zero
    let nameLookup = isNew ? phase(until: metrics.nameLookup) : -1
    // As the format has it, the time of the handshake is part of that to connect.
    let connect = isNew ? phase(until: max(metrics.connect, metrics.handshake)) : -1
    let hasHandshake = isNew && metrics.handshake != .zero
    let handshake = min(connect, max(0, (metrics.handshake - metrics.connect).milliseconds))
    let phases: JSON = [
      "blocked": -1, "dns": .int(nameLookup), "connect": .int(connect),
      "ssl": .int(hasHandshake ? handshake : -1), "send": 0,
      "wait": .int(phase(until: metrics.startTransfer)),
      "receive": .int(phase(until: metrics.total)),
    ]
    return (phases, total)
  }
}

/// The document around the entries of an HTTP archive: what stands before and after them.
public enum HTTPArchive {
  /// The beginning, for a program of that name and version.
  public static func head(creator: String, version: String) -> String {
    let creator: JSON = ["name": .string(creator), "version": .string(version)]
    return #"{"log":{"version":"1.2","creator":\#(creator.serialized()),"entries":["#
  }

  /// The end.
  public static let tail = "]}}\n"
}
