import HTTP
import JSON
import POSIX
import Pinning
import Primitives
import Synchronization

/// Writes and sends the reports of pin failures of a program.
///
/// Each failure is reported once: the same chain at the same endpoint gives one report. Reports are
/// sent beside the work of the program; ``finish()`` waits for them, until five seconds after the
/// first of them began.
public final class PinReporter: Sendable {
  /// How long a report may take, and the program may wait at its end.
  public static let limit = Duration.seconds(5)

  private struct State {
    var reported: Set<PinFailure> = []
    var sending: [Task<Void, Never>] = []
    var deadline: ContinuousClock.Instant?
  }

  private let program: String
  private let version: String
  private let limit: Duration
  private let complain: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// Makes a reporter; `complain` is called with a message if a report could not be written or
  /// sent.
  public init(
    program: String, version: String, limit: Duration = PinReporter.limit,
    complain: @escaping @Sendable (String) -> Void
  ) {
    self.program = program
    self.version = version
    self.limit = limit
    self.complain = complain
  }

  /// Waits for the reports that are being sent; what is late is given up.
  public func finish() async {
    let (tasks, deadline) = state.withLock { ($0.sending, $0.deadline) }
    guard let deadline else { return }
    let watch = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      for task in tasks { task.cancel() }
    }
    await withTaskCancellationHandler {
      for task in tasks { await task.value }
    } onCancel: {
      for task in tasks { task.cancel() }
    }
    watch.cancel()
  }

  /// Reports a mismatch to a file and to servers.
  func report(
    _ failure: PinFailure, of profile: Profile, at time: Timestamp,
    over transport: @escaping @Sendable () -> any Transport
  ) {
    guard case .mismatch(_, let set) = failure.verdict,
      state.withLock({ $0.reported.insert(failure).inserted })
    else { return }
    let report = PinFailureReport(
      failure, at: time, program: program, version: version,
      profile: profile.name.description)
    let text = report.json.serialized() + "\n"
    if let file = profile.pinReportFile { append(text, to: file) }
    for url in profile.pinReportURLs(of: set) { send(text, to: url, over: transport) }
  }

  private func append(_ text: String, to file: String) {
    do throws(SystemError) {
      try AppendedFile.append(Array(text.utf8), to: file)
    } catch {
      complain("could not write the report of the pin failure: \(error)")
    }
  }

  private func send(
    _ text: String, to url: HTTPURL, over transport: @escaping @Sendable () -> any Transport
  ) {
    let (complain, limit) = (complain, limit)
    let task = Task.detached {
      let request = HTTPRequest(
        .post, url, fields: [HTTPField(known: "Content-Type", "application/json")],
        body: .bytes(Array(text.utf8)), timeout: limit)
      do throws(TransportError) {
        let response = try await transport().send(request, receiving: .collect(limit: 1 << 16))
        guard response.status / 100 == 2 else {
          return complain("the server of pin reports, \(url.host), returned \(response.status)")
        }
      } catch {
        complain("could not send the report of the pin failure: \(error.message)")
      }
    }
    state.withLock { state in
      state.sending.append(task)
      state.deadline = state.deadline ?? .now + limit
    }
  }
}

extension Profile {
  /// Whether a mismatch is reported anywhere.
  func reportsPinFailures(with pins: PinSets) -> Bool {
    self.pinReportFile != nil || self.pinReportURL != nil
      || pins.sets.contains { !$0.reportURIs.isEmpty }
  }

  /// Where a mismatch with that set is reported: to the server of the profile, and to its own.
  fileprivate func pinReportURLs(of set: PinSet) -> [HTTPURL] {
    let own = set.reportURIs.compactMap { try? HTTPURL($0) }
    return ([self.pinReportURL].compactMap { $0 } + own).reduce(into: []) { urls, url in
      if !urls.contains(url) { urls.append(url) }
    }
  }
}
