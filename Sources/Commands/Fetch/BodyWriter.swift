import HTTP
import POSIX
import Synchronization

/// Writes the body of a response to its destination while it arrives.
///
/// A regular file is replaced only when the body has arrived in full, and not by the body of an
/// HTTP error. Text for a terminal loses its control characters.
final class BodyWriter: HTTPBodySink {
  struct Options: Sendable {
    /// Whether status line and header fields are written before the body.
    var includesHead = false
    /// Whether the body of an HTTP error does not replace a file.
    var keepsFileOnError = true
    /// The largest body in bytes; `nil` without a limit.
    var maximumSize: Int64?
    var isHead = false
    /// Whether JSON has colours on a terminal, where it is indented.
    var colours = false
    /// Whether binary data is written to a terminal too.
    var isForced = false
  }

  private enum Use {
    case deliver
    /// The beginning is kept in memory and shown with the error.
    case keepForError
    case drop
  }

  private struct State {
    var destination: BodyDestination
    var use = Use.deliver
    var response: HTTPResponse?
    var failure: Failure?
    var count: Int64 = 0
    var isComplete = false
    var wantsRestart = false
    /// The body of an HTTP error that is shown, or the body for `--json`.
    var kept: [UInt8] = []
    var filter = TerminalFilter()
    var layout: JSONLayout?
    var lastByte: UInt8?
  }

  /// The file that is opened when the response arrives; `nil` if the destination is open.
  private let path: String?
  private let options: Options
  private let progress: Progress?
  private let noteRemoval: (@Sendable (String) -> Void)?
  private let state: Mutex<State>

  /// Makes a writer; `noteRemoval` is told why the part that `--continue` found is removed.
  init(
    _ destination: BodyDestination, _ options: Options, progress: Progress? = nil,
    noteRemoval: (@Sendable (String) -> Void)? = nil
  ) {
    path = nil
    self.options = options
    self.progress = progress
    self.noteRemoval = noteRemoval
    state = Mutex(State(destination: destination))
  }

  /// Makes a writer that opens a file when the response arrives: many requests may wait for theirs.
  init(path: String, keepsFileOnError: Bool) {
    self.path = path
    options = Options(keepsFileOnError: keepsFileOnError)
    (progress, noteRemoval) = (nil, nil)
    state = Mutex(State(destination: .memory))
  }

  /// Why the body could not be delivered.
  var failure: Failure? { state.withLock { $0.failure } }
  var response: HTTPResponse? { state.withLock { $0.response } }
  /// The bytes of the body that were received, decoded.
  var count: Int64 { state.withLock { $0.count } }
  /// The body that was kept in memory: for `--json`, or of an error that is shown.
  var kept: [UInt8] { state.withLock { $0.kept } }
  /// Whether the part that `--continue` found is the whole file already.
  var isComplete: Bool { state.withLock { $0.isComplete } }
  /// Whether the part that `--continue` found was removed.
  var wantsRestart: Bool { state.withLock { $0.wantsRestart } }
  /// Whether the old file was kept because of an HTTP error.
  var hasKeptFile: Bool { state.withLock { $0.use == .keepForError } }

  func begin(_ response: HTTPResponse) -> Bool {
    progress?.begin(response)
    return state.withLock { state in
      state.response = response
      if let path {
        do throws(Failure) {
          state.destination = try .file(path)
        } catch {
          return refuse(&state, error)
        }
      }
      state.use = use(of: response, state.destination)
      if let maximum = options.maximumSize, let length = response.length(ofHead: options.isHead),
        length > maximum
      {
        return refuse(&state, .tooLarge(maximum))
      }
      if state.destination.isTerminal, !options.isForced, response.isJSON {
        state.layout = JSONLayout(colours: options.colours)
      }
      return resume(with: response, &state) && writeHead(of: response, &state)
    }
  }

  /// Makes the part of `--continue` ready for the response; `false` ends the transfer.
  private func resume(with response: HTTPResponse, _ state: inout State) -> Bool {
    guard let resumption = state.destination.resumption else { return true }
    do throws(Failure) {
      let step = try resumption.prepare(for: response)
      switch step {
      case .complete: (state.use, state.isComplete) = (.drop, true)
      case .changed, .mismatch:
        state.wantsRestart = true
        if let removal = step.removal { noteRemoval?(removal) }
        return false
      case .append: state.count = resumption.file.size
      case .restart, .none: break
      }
      return true
    } catch {
      return refuse(&state, error)
    }
  }

  private func writeHead(of response: HTTPResponse, _ state: inout State) -> Bool {
    guard options.includesHead else { return true }
    return response.head.withUnsafeBytes { deliver($0, &state, isBody: false) }
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
        if state.destination.isTerminal, !options.isForced, bytes.contains(0) {
          return refuse(&state, .binaryBody)
        }
        return deliver(bytes, &state, isBody: true)
      }
    }
  }

  /// Drops what was received for another response; `false` if it has been written to the output.
  func restart() -> Bool {
    let (isUnseen, destination) = state.withLock { state in
      let isUnseen = state.count == 0 && !options.includesHead
      state = State(destination: state.destination)
      return (isUnseen, state.destination)
    }
    switch destination {
    case .memory, .part: return true
    case .file(let file, _): return file.restart() || isUnseen
    case .output: return isUnseen
    }
  }

  /// Keeps the old file, and removes the new one.
  func discard() {
    progress?.end()
    state.withLock { $0.destination }.discard()
  }

  /// Replaces the file, or writes the bytes that the terminal filter holds back.
  func finish() throws {
    progress?.end()
    guard state.withLock({ $0.use == .deliver || $0.isComplete }) else { return discard() }
    let destination = state.withLock { $0.destination }
    try Failure.writing { () throws(SystemError) in
      if destination.isTerminal { try destination.write(state.withLock { end(of: &$0) }) }
      try destination.commit()
    }
  }

  /// What the filters hold back, and the end of the last line.
  private func end(of state: inout State) -> [UInt8] {
    let rest = state.filter.rest() + (state.layout?.rest() ?? [])
    var isOpen = state.lastByte.map { $0 != 0x0A } ?? false
    // A note on the terminal may have ended the line.
    if case .output(let output, _) = state.destination { isOpen = output.isLineOpen }
    return isOpen && !options.isForced ? rest + [0x0A] : rest
  }

  private func use(of response: HTTPResponse, _ destination: BodyDestination) -> Use {
    guard destination.isReplacing else { return .deliver }
    if response.status == 304 { return .drop }
    return response.status >= 400 && options.keepsFileOnError ? .keepForError : .deliver
  }

  private func deliver(
    _ bytes: UnsafeRawBufferPointer, _ state: inout State, isBody: Bool
  ) -> Bool {
    do throws(SystemError) {
      if state.destination.isTerminal {
        let text = state.filter.visible(bytes)
        let shown = isBody ? state.layout?.laidOut(text) ?? text : text
        if isBody { state.lastByte = shown.last ?? state.lastByte }
        try state.destination.write(shown)
      } else if case .memory = state.destination {
        if isBody { state.kept += bytes }
      } else {
        try state.destination.write(bytes)
      }
      return true
    } catch {
      return refuse(
        &state,
        Failure(.outputFailed, "could not write the output: \(error.message)"))
    }
  }

  private func refuse(_ state: inout State, _ failure: Failure) -> Bool {
    state.failure = failure
    return false
  }

  private static let errorLimit = 1 << 16
}
