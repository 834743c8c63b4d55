import BulkRequests
import HTTP
import JSON
import POSIX
import SDKCore

actor BatchReader {
  private let lines: LineFeed
  private let arguments: Fetch.Arguments
  private let headers: HeaderLines
  /// The credential of lines without `access`.
  private let access: Access
  private let report: BatchReport
  /// The number of the last line, from 1.
  private var number = 0

  init(_ lines: LineFeed, _ arguments: Fetch.Arguments, _ access: Access, _ report: BatchReport) {
    self.lines = lines
    self.arguments = arguments
    headers = HeaderLines(arguments.headers)
    self.access = access
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
    // Some editors put a byte order mark before the first line.
    let line = number == 1 ? line.withoutByteOrderMark : line
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return nil }
    do throws(BatchLineError) {
      return try request(line)
    } catch {
      report.refuse(line: number, id: error.id, error.message)
      return nil
    }
  }

  private func request(_ text: [UInt8]) throws(BatchLineError) -> BatchItem {
    let line = try BatchLine(text, headers: headers.sent)
    let access = line.access ?? access
    let file = line.output.map { BodyWriter(path: $0, keepsFileOnError: arguments.fail) }
    var request = line.request
    request.omittedHeaders = headers.omitted
    request.followsRedirects = arguments.follows
    report.expect(
      number,
      BatchReport.Details(
        id: line.id, access: access, method: request.method, file: file, path: line.output))
    guard let file else { return BatchItem(number, request, as: access) }
    return BatchItem(number, request, as: access, receiving: .sink(file))
  }

  private static let linesAtOnce = 32
}
