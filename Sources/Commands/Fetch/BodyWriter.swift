import HTTP
import POSIX
import Synchronization

/// Receives a response, and puts its body where the options say.
///
/// A regular file is replaced only when the body has arrived in full, and not by the body of an
/// HTTP error. Whatever leads to a terminal is filtered.
final class BodyTarget: HTTPBodySink {
  /// What the options say about the body.
  struct Options: Sendable {
    var includesHead = false
    /// Whether an HTTP error leaves a file as it is.
    var sparesFile = true
    var maximumSize: Int64?
    var isHead = false
    var colours = false
    /// Whether a terminal gets binary data too.
    var isForced = false
  }

  private enum Use { case deliver, keepForError, drop }

  private struct State {
    var use = Use.deliver
    var response: HTTPResponse?
    var failure: Failure?
    var count: Int64 = 0
    /// Whether the part that is continued was the whole file already.
    var isComplete = false
    /// Whether the part that was to be continued is of another resource, and was removed.
    var mustStartAgain = false
    /// The body of an HTTP error that is shown, or the body for `--json`.
    var kept: [UInt8] = []
    var filter = TerminalFilter()
    var colours: JSONColours?
  }

  private let destination: BodyDestination
  private let options: Options
  private let progress: Progress?
  private let state = Mutex(State())

  init(_ destination: BodyDestination, _ options: Options, progress: Progress? = nil) {
    self.destination = destination
    self.options = options
    self.progress = progress
  }

  /// Why the body could not be delivered.
  var failure: Failure? { state.withLock { $0.failure } }
  /// The response whose body this is.
  var response: HTTPResponse? { state.withLock { $0.response } }
  /// The bytes of the body that were received, decoded.
  var count: Int64 { state.withLock { $0.count } }
  /// The body that was kept in memory: for `--json`, or of an error that is shown.
  var kept: [UInt8] { state.withLock { $0.kept } }
  /// Whether the part that was to be continued is the whole file.
  var isComplete: Bool { state.withLock { $0.isComplete } }
  /// Whether the part that was to be continued is of another resource, and was removed.
  var mustStartAgain: Bool { state.withLock { $0.mustStartAgain } }
  /// Whether a file was left as it is, because of an HTTP error.
  var isSpared: Bool { state.withLock { $0.use == .keepForError } }

  func begin(_ response: HTTPResponse) -> Bool {
    progress?.begin(response)
    return state.withLock { state in
      state.response = response
      state.use = use(of: response)
      if let maximum = options.maximumSize, let length = response.length(ofHead: options.isHead),
        length > maximum
      {
        return refuse(&state, .tooLarge(maximum))
      }
      if options.colours, destination.isTerminal, response.isJSON { state.colours = JSONColours() }
      if let resumption = destination.resumption, state.use == .deliver || response.status == 416 {
        do throws(Failure) {
          switch try resumption.prepare(for: response) {
          case .complete: (state.use, state.isComplete) = (.drop, true)
          case .changed:
            state.mustStartAgain = true
            return false
          case .append: state.count = resumption.file.size
          default: break
          }
        } catch {
          return refuse(&state, error)
        }
      }
      guard options.includesHead, state.use == .deliver else { return true }
      var head = "\(response.version) \(response.status)\r\n"
      for field in response.fields { head += "\(field)\r\n" }
      return Array((head + "\r\n").utf8).withUnsafeBytes { deliver($0, &state, isBody: false) }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    progress?.add(bytes.count)
    return state.withLock { state in
      state.count += Int64(bytes.count)
      if let maximum = options.maximumSize, state.count > maximum {
        return refuse(&state, .tooLarge(maximum))
      }
      switch state.use {
      case .drop: return true
      case .keepForError:
        state.kept += bytes.prefix(max(0, Self.errorLimit - state.kept.count))
        return true
      case .deliver:
        if destination.isTerminal, !options.isForced, bytes.contains(0) {
          return refuse(&state, .binaryBody)
        }
        return deliver(bytes, &state, isBody: true)
      }
    }
  }

  /// Forgets what was received, if nobody has seen it.
  func restart() -> Bool {
    let isUnseen = state.withLock { state in
      let isUnseen = state.count == 0 && !options.includesHead
      state = State()
      return isUnseen
    }
    switch destination {
    case .memory, .part: return true
    case .file(let file): return file.restart() || isUnseen
    case .output: return isUnseen
    }
  }

  /// Leaves the old file as it is, and nothing of the new one.
  func discard() {
    progress?.end()
    destination.discard()
  }

  /// Puts the file in its place, or writes what the filter holds back.
  func finish() throws(Failure) {
    progress?.end()
    guard state.withLock({ $0.use == .deliver || $0.isComplete }) else { return discard() }
    do throws(SystemError) {
      let rest = state.withLock { $0.filter.rest() + ($0.colours?.rest() ?? []) }
      if destination.isTerminal { try destination.write(rest) }
      try destination.commit()
    } catch {
      throw Failure(.failure, "output_failed", "could not write the file \(error)")
    }
  }

  private func use(of response: HTTPResponse) -> Use {
    guard destination.isReplacing else { return .deliver }
    if response.status == 304 { return .drop }
    return response.status >= 400 && options.sparesFile ? .keepForError : .deliver
  }

  private func deliver(
    _ bytes: UnsafeRawBufferPointer, _ state: inout State, isBody: Bool
  ) -> Bool {
    do throws(SystemError) {
      if destination.isTerminal {
        let text = state.filter.visible(bytes)
        try destination.write(isBody ? state.colours?.colour(text) ?? text : text)
      } else if case .memory = destination {
        if isBody { state.kept += bytes }
      } else {
        try destination.write(bytes)
      }
      return true
    } catch {
      return refuse(
        &state,
        Failure(.failure, "output_failed", "could not write the output: \(error.message)"))
    }
  }

  private func refuse(_ state: inout State, _ failure: Failure) -> Bool {
    state.failure = failure
    return false
  }

  /// How much of an error's body is shown.
  private static let errorLimit = 4096
}
