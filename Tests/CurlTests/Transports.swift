import Foundation
import OpenSSL
import Pinning
import TestSupport

@testable import Curl

/// A time after the birth of all test certificates.
let testTime: Timestamp = 1_790_000_000

/// A transport that trusts the test root and has one pin, by default the server's own.
func transport(
  pinning file: String? = "leaf.pem", policy: PinPolicy = .enforce, host: String = "localhost",
  expires: Timestamp? = nil, configure: (inout TransportConfiguration) -> Void = { _ in }
) throws -> CurlTransport {
  let folder = try CertificateFolder.made()
  var sets: [PinSet] = []
  if let file {
    let key = PinnedKey(pin: try folder.pin(file), role: .leaf)
    sets = [try #require(PinSet(host: host, expires: expires, keys: [key]))]
  }
  var configuration = TransportConfiguration(
    pins: PinSets(sets), userAgent: "tests/1", now: { testTime })
  configuration.caFile = folder.file("root.pem")
  configuration.pinPolicy = policy
  configure(&configuration)
  return CurlTransport(configuration)
}

func url(_ server: LoopbackServer, _ path: String, host: String = "localhost") throws -> HTTPURL {
  try HTTPURL("https://\(host):\(server.port)/\(path)")
}

extension CurlTransport {
  /// The error of a request that fails.
  func failure(
    of request: HTTPRequest, limit: Int = 1 << 20, receiving sink: HTTPBodyReceiver? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> TransportError {
    do {
      let response =
        if let sink { try await send(request, receiving: sink) } else {
          try await send(request, limit: limit)
        }
      Issue.record("answered \(response.status)", sourceLocation: location)
      throw CancellationError()
    } catch let error as TransportError {
      return error
    }
  }
}

/// Counts what comes, and keeps nothing of it.
final class CountingSink: HTTPBodySink {
  private struct State {
    var begun: [HTTPResponse] = []
    var count = 0
  }

  private let state = Mutex(State())
  private let limit: Int
  private let accepts: Bool

  init(limit: Int = .max, accepts: Bool = true) {
    self.limit = limit
    self.accepts = accepts
  }

  var begun: [HTTPResponse] { state.withLock(\.begun) }
  var count: Int { state.withLock(\.count) }

  func begin(_ response: HTTPResponse) -> Bool {
    state.withLock { $0.begun.append(response) }
    return accepts
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      state.count += bytes.count
      return state.count <= limit
    }
  }
}

/// Yields so many bytes, then an end or a failure.
final class CountedSource: HTTPBodySource {
  private let left: Mutex<Int>
  private let failsAtEnd: Bool

  init(_ count: Int, failsAtEnd: Bool = false) {
    left = Mutex(count)
    self.failsAtEnd = failsAtEnd
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    left.withLock { left in
      let count = min(left, buffer.count)
      if count == 0, failsAtEnd { return nil }
      buffer.prefix(count).copyBytes(from: repeatElement(0x61, count: count))
      left -= count
      return count
    }
  }

  func rewind() -> Bool { false }
}
