import HTTP
import JSON
import POSIX
import SDKCore

/// The details of a running request that its line of the report needs.
struct BatchRequestInfo: Sendable {
  /// The member `id` of its line.
  var id: JSON?
  /// The credential of the request.
  var access = Access.user
  /// The file of the body; `nil` if the body goes into the report.
  var file: BatchBodyFile?
}

/// The options of the command line that apply to each request of a batch.
struct BatchDefaults: Sendable {
  /// The credential of lines without `access`.
  var access: Access
  /// The header fields of lines that do not have them.
  var headers: [(name: String, value: String)] = []
  /// The names of fields that are not added by default.
  var omittedHeaders: [String] = []
  var followsRedirects = true
  /// Whether an HTTP error is a failure, whose body does not replace a file.
  var failsOnHTTPError = true
}

/// Reads the requests of a batch, one per line.
actor BatchReader {
  private let lines: LineFeed
  private let defaults: BatchDefaults
  private let report: BatchReport
  /// The number of the last line, from 1.
  private var number = 0

  init(_ lines: LineFeed, _ defaults: BatchDefaults, _ report: BatchReport) {
    self.lines = lines
    self.defaults = defaults
    self.report = report
  }

  /// Returns the next requests; none at the end.
  ///
  /// Lines that are not a request are reported, empty lines are ignored.
  func next() async -> [BatchItem] {
    while !report.isStopped {
      do {
        let lines = try await self.lines.next(Self.linesAtOnce)
        let items = lines.compactMap { item($0) }
        // Write the reports of lines that are not a request.
        if items.count < lines.count { report.flush() }
        if lines.isEmpty || !items.isEmpty { return items }
      } catch {
        report.noteInputFailure(error)
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
    let line = try BatchLine(text, headers: defaults.headers)
    let access = line.access ?? defaults.access
    let file = line.output.map { BatchBodyFile($0, keepsFileOnError: defaults.failsOnHTTPError) }
    var request = line.request
    request.omittedHeaders = defaults.omittedHeaders
    request.followsRedirects = defaults.followsRedirects
    report.expect(number, BatchRequestInfo(id: line.id, access: access, file: file))
    guard let file else { return BatchItem(number, request, as: access) }
    return BatchItem(number, request, as: access, receiving: .sink(file))
  }

  private static let linesAtOnce = 32
}
