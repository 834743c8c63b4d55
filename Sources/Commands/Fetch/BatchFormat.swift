import HTTP
import Primitives
import SDKCore

/// Writes the outcomes of a batch in the format of `--write-out`.
struct BatchFormat: Sendable {
  private let parts: [WriteOut.Part]
  private let session: ProfileSession
  private let context: Context
  private let libraries: String?

  init(_ parts: [WriteOut.Part], _ session: ProfileSession, _ context: Context) {
    self.parts = parts
    self.session = session
    self.context = context
    libraries = parts.needsLibraries ? try? context.network.version() : nil
  }

  /// Writes one outcome; returns why a file of the format could not be written.
  ///
  /// A failed request is also reported on standard error: the format may not have its cause.
  func write(_ row: BatchRow, of request: ResourceRequest?) -> Failure? {
    var report = TransferReport(
      method: request?.method ?? "", target: request?.path ?? "", response: row.response,
      failure: row.failure, fileName: row.file?.path)
    report.failedMetrics = row.failedMetrics
    report.requestURL = request.flatMap { session.resources.url(of: $0) }
    report.referer = request?.referer
    report.position = row.number - 1
    report.id = row.id
    report.libraries = libraries
    let error = parts.write(report, context)
    if let failure = row.failure { context.note("line \(row.number): \(failure.message)") }
    return error.map { .unwritable($0) }
  }
}

extension ResourceRequest {
  /// The last field `Referer`.
  var referer: String? { headers.last { $0.name.asciiLowercased == "referer" }?.value }
}
