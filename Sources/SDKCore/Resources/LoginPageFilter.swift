import HTTP
import Primitives
import Synchronization

/// Keeps a page of the login from a receiver, if a server sends it with 2xx in place of a resource.
///
/// A response that may be such a page is held until its mark has come, or its end, or 64 KiB.
final class LoginPageFilter: HTTPBodySink {
  private let sink: any HTTPBodySink
  private let mark: [UInt8]
  private let state = Mutex(State())

  private struct State {
    /// The response that is held, and the beginning of its body.
    var held: HTTPResponse?
    var bytes: [UInt8] = []
    /// The page of the login, and how much of it was dropped.
    var page: HTTPResponse?
    var dropped = 0
  }

  init(_ sink: any HTTPBodySink, mark: [UInt8]) {
    self.sink = sink
    self.mark = mark
  }

  /// The page of the login; `nil` if the response is another one.
  var page: HTTPResponse? { state.withLock { $0.page } }

  func begin(_ response: HTTPResponse) -> Bool {
    let isHeld = Self.mayBePage(response)
    state.withLock { $0 = State(held: isHeld ? response : nil) }
    return isHeld ? true : sink.begin(response)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isTaken: Bool? = state.withLock { state in
      if state.page != nil {
        state.dropped += bytes.count
        return state.dropped <= Self.limit
      }
      guard let held = state.held else { return nil }
      let start = max(0, state.bytes.count - mark.count)
      state.bytes += bytes
      if Self.contains(mark, in: state.bytes.prefix(Self.limit)[start...]) {
        (state.page, state.held, state.bytes) = (held, nil, [])
        return true
      }
      return state.bytes.count <= Self.limit ? true : release(&state)
    }
    return isTaken ?? sink.write(bytes)
  }

  /// Delivers what is held; called when the response is complete.
  func finish() -> Bool { state.withLock { release(&$0) } }

  private func release(_ state: inout State) -> Bool {
    guard let held = state.held else { return true }
    let bytes = state.bytes
    (state.held, state.bytes) = (nil, [])
    return sink.begin(held) && (bytes.isEmpty || bytes.withUnsafeBytes { sink.write($0) })
  }

  /// Whether a response with a collected body is the page.
  static func isPage(_ response: HTTPResponse, mark: [UInt8]) -> Bool {
    mayBePage(response) && contains(mark, in: response.body.prefix(limit))
  }

  private static func mayBePage(_ response: HTTPResponse) -> Bool {
    response.isSuccess
      && ["text/html", "application/xhtml+xml"].contains(response.mediaType ?? "")
  }

  private static func contains(_ mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while let first = rest.firstIndex(of: mark[0]) {
      rest = rest[first...]
      if rest.starts(with: mark) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  private static let limit = 1 << 16
}
