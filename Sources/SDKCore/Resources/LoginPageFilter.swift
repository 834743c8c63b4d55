import HTTP
import Primitives
import Synchronization

/// Holds back a login page that a server sends with status 2xx in place of a resource.
///
/// An HTML response is held until the text that marks the page has arrived, the response has ended, or
/// it has more than 64 KiB.
final class LoginPageFilter: HTTPBodySink {
  private let sink: any HTTPBodySink
  private let mark: [UInt8]
  private let state = Mutex(State())

  private struct State {
    /// The response that is held, and the beginning of its body.
    var held: HTTPResponse?
    var bytes: [UInt8] = []
    /// The login page, and how many bytes of it were dropped.
    var page: HTTPResponse?
    var dropped = 0
  }

  init(_ sink: any HTTPBodySink, mark: [UInt8]) {
    self.sink = sink
    self.mark = mark
  }

  /// The login page; `nil` if the response is not one.
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

  /// Delivers the response that is held; called when it is complete.
  func finish() -> Bool { state.withLock { release(&$0) } }

  private func release(_ state: inout State) -> Bool {
    guard let held = state.held else { return true }
    let bytes = state.bytes
    (state.held, state.bytes) = (nil, [])
    return sink.begin(held) && (bytes.isEmpty || bytes.withUnsafeBytes { sink.write($0) })
  }

  /// Whether a response with a collected body is a login page.
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
