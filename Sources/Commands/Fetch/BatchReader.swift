import HTTP
import JSON
import POSIX
import SDKCore

/// What the outcome of a request of a batch is reported with.
struct BatchTag: Sendable {
  /// The member `id` of its line.
  var id: JSON?
  /// The credential of the request.
  var access = Access.user
  /// Where the body goes, if not into the report.
  var target: BatchTarget?
  /// The request, if the report is in a format of the user's.
  var request: ResourceRequest?
}

/// What the options of the command line say about each request of a batch.
struct BatchDefaults: Sendable {
  var prefersHTTP3 = false
  var describesCertificates = false
  /// Whether the report is in a format of the user's, which has no bodies.
  var isFormatted = false
}

/// Drops a body, which the report does not show.
private final class DroppedBody: HTTPBodySink {
  static let shared = DroppedBody()

  func begin(_ response: HTTPResponse) -> Bool { true }
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
}

/// Reads the requests of a batch, one per line.
actor BatchReader {
  private let lines: LineFeed
  private let access: Access
  private let headers: [(name: String, value: String)]
  private let fails: Bool
  private let defaults: BatchDefaults
  private let report: BatchReport
  /// The number of the last line, from 1.
  private var number = 0

  init(
    lines: LineFeed, access: Access, headers: [(name: String, value: String)], fails: Bool,
    defaults: BatchDefaults, report: BatchReport
  ) {
    self.lines = lines
    self.access = access
    self.headers = headers
    self.fails = fails
    self.defaults = defaults
    self.report = report
  }

  /// The next requests, none at the end; reports lines that are not one, and passes over empty
  /// lines.
  func next() async -> [BatchItem] {
    while !report.isStopped {
      do {
        let lines = try await self.lines.next(Self.linesAtOnce)
        let items = lines.compactMap { item($0) }
        // What was reported of lines that are no request.
        if items.count < lines.count { report.flush() }
        if lines.isEmpty || !items.isEmpty { return items }
      } catch {
        report.end(reading: error)
        return []
      }
    }
    return []
  }

  private func item(_ line: [UInt8]) -> BatchItem? {
    number += 1
    // A line that was not a request may have ended the batch.
    if report.isStopped { return nil }
    // Some editors put a byte order mark before the first line (RFC 8259 section 8.1).
    let hasMark = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
    let line = hasMark ? Array(line.dropFirst(3)) : line
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return nil }
    do throws(BatchLineError) {
      return try request(line)
    } catch {
      report.refuse(line: number, id: error.id, error.message)
      return nil
    }
  }

  private func request(_ text: [UInt8]) throws(BatchLineError) -> BatchItem {
    let line = try BatchLine(text, headers: headers)
    let access = line.access ?? access
    let target = line.output.map { BatchTarget($0, sparesErrors: fails) }
    var request = line.request
    request.prefersHTTP3 = defaults.prefersHTTP3
    request.describesCertificates = defaults.describesCertificates
    request.isMeasured = defaults.isFormatted
    var tag = BatchTag(id: line.id, access: access, target: target)
    if defaults.isFormatted { tag.request = request }
    report.expect(number, tag)
    if let target { return BatchItem(number, request, as: access, receiving: .sink(target)) }
    if !defaults.isFormatted { return BatchItem(number, request, as: access) }
    return BatchItem(number, request, as: access, receiving: .sink(DroppedBody.shared))
  }

  private static let linesAtOnce = 32
}
