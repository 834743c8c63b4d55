import Primitives
import Synchronization

/// Sends one request and returns its response.
///
/// A transport follows no redirect, adds no credential and repeats nothing. It checks chain, host name and
/// pins before the first byte of a request is sent.
public protocol Transport: Sendable {
  /// Sends a request and awaits the end of its response.
  ///
  /// Cancelling the task ends the transfer.
  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError)
    -> HTTPResponse

  /// Why a request to a URL would be refused before any connection is made; `nil` if one would be made.
  func refusal(of url: HTTPURL) -> TransportError?
}

extension Transport {
  /// Returns `nil`: nothing is known before a connection.
  public func refusal(of url: HTTPURL) -> TransportError? { nil }

  /// Sends a request and collects at most `limit` bytes of its response's body, which must not be encoded:
  /// without that word a server may choose any coding (RFC 9110 section 12.5.3).
  public func send(
    _ request: HTTPRequest, limit: Int = 1 << 20
  ) async throws(TransportError) -> HTTPResponse {
    var request = request
    if !request.fields.contains("Accept-Encoding") {
      request.fields.append(HTTPField(known: "Accept-Encoding", "identity"))
    }
    return try await send(request, receiving: .collect(limit: limit))
  }
}

/// The receiver of a response's body.
public enum HTTPBodyReceiver: Sendable {
  /// Into memory; more than `limit` bytes end the transfer with ``TransportError/Code/tooLarge``.
  case collect(limit: Int)
  /// To a sink, as it arrives.
  case sink(any HTTPBodySink)
}

/// Receives a response as it arrives.
///
/// Called on the transport's thread, one call at a time.
public protocol HTTPBodySink: AnyObject, Sendable {
  /// The status and fields are complete; `false` ends the transfer.
  func begin(_ response: HTTPResponse) -> Bool
  /// The next bytes; `false` ends the transfer with ``TransportError/Code/responseBodyRefused``.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// Whether it has refused a response because it needs another one.
  var wantsRestart: Bool { get }
  /// Drops what it has received, because another response follows; `false` if it cannot.
  func restart() -> Bool
}

extension HTTPBodySink {
  /// Returns `false`.
  public var wantsRestart: Bool { false }

  /// Returns `false`: nothing can be dropped.
  public func restart() -> Bool { false }
}

/// Why a request got no response.
///
/// The codes are for scripts, `message` is for people.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure; more may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, as `--json` errors carry it.
    public let description: String

    /// The host name could not be resolved.
    public static let nameNotResolved = Code(description: "name_not_resolved")
    /// The connection was not made, or it was lost.
    public static let connection = Code(description: "connection_failed")
    /// The proxy could not be reached, or it refused the connection.
    public static let proxy = Code(description: "proxy_failed")
    /// The proxy that is set cannot be used.
    public static let proxyUnusable = Code(description: "proxy_unusable")
    /// The time limit passed.
    public static let timeout = Code(description: "timeout")
    /// Chain, host name or protocol refused.
    public static let tls = Code(description: "tls_failed")
    /// No key of the validated chain is pinned.
    public static let pinMismatch = Code(description: "pin_mismatch")
    /// The profile enforces pins and has none for the host.
    public static let notPinned = Code(description: "host_not_pinned")
    /// The pins of the host have expired.
    public static let pinsExpired = Code(description: "pins_expired")
    /// The server wants a client certificate.
    public static let clientCertificateRequired = Code(
      description: "client_certificate_required")
    /// The message is not HTTP, or was cut short.
    public static let malformed = Code(description: "malformed_response")
    /// The body or a field is larger than allowed.
    public static let tooLarge = Code(description: "response_too_large")
    /// The body is not encrypted as it must be, or it is not the response to the request.
    public static let notEncrypted = Code(description: "payload_not_encrypted")
    /// The URL is not one that may be fetched (`http:` to another machine).
    public static let refused = Code(description: "url_refused")
    /// The receiver refused the response's body.
    public static let responseBodyRefused = Code(description: "response_body_refused")
    /// The source of the request's body failed, or cannot be read again.
    public static let requestBodyFailed = Code(description: "request_body_failed")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
    /// The file of trusted authorities cannot be read.
    public static let caFile = Code(description: "ca_file_unusable")
    /// libcurl is missing or unsuitable.
    public static let unavailable = Code(description: "transport_unavailable")
  }

  private struct Members: Sendable, Hashable {
    let code: Code
    let message: String
    let host: String?
    let details: [String]
    let certificateRefusal: ClientCertificateRefusal?
    var metrics: TransferMetrics?
  }

  /// In an object: every function that may fail has memory for an error.
  private var shared: Shared<Members>

  /// The kind of failure.
  public var code: Code { shared.value.code }
  /// The cause in words: lower case, no period, no secrets.
  public var message: String { shared.value.message }
  /// The message.
  public var description: String { message }
  /// The host of the request.
  public var host: String? { shared.value.host }
  /// Further lines for people: of a pin mismatch, the chain's keys and the pinned ones.
  public var details: [String] { shared.value.details }
  /// The server's request for a client certificate, or its refusal of one, if that is the cause.
  public var certificateRefusal: ClientCertificateRefusal? { shared.value.certificateRefusal }
  /// The connection and the times, as far as the transfer came; `nil` if it did not begin.
  public var metrics: TransferMetrics? {
    get { shared.value.metrics }
    set {
      var members = shared.value
      members.metrics = newValue
      shared = Shared(members)
    }
  }

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, host: String? = nil, details: [String] = [],
    certificateRefusal: ClientCertificateRefusal? = nil
  ) {
    shared = Shared(
      Members(
        code: code, message: message, host: host, details: details,
        certificateRefusal: certificateRefusal))
  }
}

/// Suspends and resumes a running transfer.
///
/// While it is suspended, no byte of a body is sent or received. The server may close the connection if
/// that takes too long.
public final class TransferGate: Sendable {
  private struct State {
    var isSuspended = false
    var observer: (@Sendable (Bool) -> Void)?
    /// Whether the observer was last called with `true`.
    var observedSuspended = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  /// Held while the observer is called, so that it gets two changes at once in their order.
  private let calling = Mutex(())

  /// Makes a gate that is open.
  public init() {}

  /// Whether transfers are suspended.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Suspends the transfer, or resumes it.
  public func setSuspended(_ isSuspended: Bool) {
    let waiters = state.withLock { state in
      state.isSuspended = isSuspended
      guard !isSuspended else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    callObserver()
    for waiter in waiters { waiter.resume() }
  }

  /// Sets the observer, which is called with every change: `true` to suspend, `false` to resume.
  ///
  /// It is called at once if the gate is suspended now. It must not call the gate. `nil` removes it.
  public func observe(_ observer: (@Sendable (Bool) -> Void)?) {
    state.withLock { state in
      state.observer = observer
      state.observedSuspended = false
    }
    callObserver()
  }

  /// Calls the observer if the state is another one than at the last call.
  private func callObserver() {
    calling.withLock { _ in
      let (observer, isSuspended) = state.withLock { state in
        defer { state.observedSuspended = state.isSuspended }
        let isChanged = state.observedSuspended != state.isSuspended
        return (isChanged ? state.observer : nil, state.isSuspended)
      }
      observer?(isSuspended)
    }
  }

  /// Waits until the transfer may go on, or the task is cancelled.
  public func waitUntilOpen() async {
    let ticket = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if !state.isSuspended || Task.isCancelled { return true }
          state.waiters[ticket] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
    }
  }
}
