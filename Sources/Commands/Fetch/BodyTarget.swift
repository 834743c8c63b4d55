import HTTP
import POSIX
import Synchronization

/// Where the body of a response goes: standard output, or a file.
///
/// A regular file is replaced only when the body has arrived whole. Whatever leads to a terminal
/// is filtered.
final class BodyTarget: HTTPBodySink {
  private let sink: Sink
  private let includesHead: Bool
  private let state = Mutex(State())

  private enum Sink: Sendable {
    case output(Output, filtered: Bool)
    case file(StagedFile, filtered: Bool)
  }

  private struct State {
    var failure: SystemError?
    var filter = TerminalFilter()
  }

  init(_ path: String?, includesHead: Bool, _ context: Context) throws(Failure) {
    self.includesHead = includesHead
    guard let path, path != "-" else {
      sink = .output(context.output, filtered: context.isTerminal)
      return
    }
    do {
      let file = try StagedFile(path, .named(newMode: 0o600))
      sink = .file(file, filtered: file.isTerminal)
    } catch {
      throw Failure(.failure, "output_failed", "could not write the file \(error)")
    }
  }

  /// What went wrong with writing.
  var failure: Failure? {
    state.withLock { $0.failure }.map {
      Failure(.failure, "output_failed", "could not write the output: \($0.message)")
    }
  }

  func begin(_ response: HTTPResponse) -> Bool {
    guard includesHead else { return true }
    var head = "\(response.version) \(response.status)\r\n"
    for field in response.fields { head += "\(field)\r\n" }
    return Array((head + "\r\n").utf8).withUnsafeBytes { write($0) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      do throws(SystemError) {
        switch sink {
        case .output(let output, filtered: false): try output.writeRaw(bytes)
        case .output(let output, filtered: true): output.write(state.filter.visible(bytes))
        case .file(let file, filtered: false): try file.write(bytes)
        case .file(let file, filtered: true): try file.write(state.filter.visible(bytes))
        }
        return true
      } catch {
        state.failure = error
        return false
      }
    }
  }

  /// Whether a regular file is replaced by the body, once `finish` is called.
  var isReplacing: Bool {
    guard case .file(let file, _) = sink else { return false }
    return file.isReplacing
  }

  /// Leaves the old file as it is, and nothing of the new one.
  func discard() {
    if case .file(let file, _) = sink { file.discard() }
  }

  /// Puts the file in its place, or writes what the filter holds back.
  func finish() throws(Failure) {
    let rest = state.withLock { $0.filter.rest() }
    guard case .file(let file, let isFiltered) = sink else {
      if case .output(let output, filtered: true) = sink { output.write(rest) }
      return
    }
    do {
      if isFiltered { try file.write(rest) }
      try file.commit()
    } catch {
      throw Failure(.failure, "output_failed", "could not write the file \(error)")
    }
  }
}
