import HTTP
import Synchronization

/// Holds back a response until it is known whether it refuses the client certificate.
///
/// Passes the head of each response to the observers.
final class ChallengeFilter: HTTPBodySink {
  private let body: HTTPBodyReceiver
  private let request: ObservedRequest
  private let observers: [any RequestObserver]
  private let held = Mutex<HTTPResponse?>(nil)

  init(
    _ body: HTTPBodyReceiver, of request: ObservedRequest, _ observers: [any RequestObserver]
  ) {
    self.body = body
    self.request = request
    self.observers = observers
  }

  /// The receiver that the transport sends the response to.
  var receiver: HTTPBodyReceiver {
    if case .collect = body { return body }
    return .sink(self)
  }

  /// The server's request for a client certificate, or its refusal of one; `nil` if there is neither.
  func challenge(
    in outcome: Result<HTTPResponse, TransportError>
  ) -> ClientCertificateRefusal? {
    switch outcome {
    case .success(let response):
      if case .collect = body {
        notify(response)
        return challenge(in: response)
      }
      return held.withLock { $0 }.flatMap(challenge)
    case .failure(let error):
      return request.certificateRule == nil ? nil : error.certificateRefusal
    }
  }

  /// Delivers a response that was held back, and returns the outcome.
  func deliver(
    _ outcome: Result<HTTPResponse, TransportError>
  ) -> Result<HTTPResponse, TransportError> {
    guard !flush() else { return outcome }
    return .failure(
      TransportError(
        .responseBodyRefused, "the response could not be delivered", host: request.url.host))
  }

  func begin(_ response: HTTPResponse) -> Bool {
    notify(response)
    guard mayBeRefusal(response) else { return sink?.begin(response) ?? true }
    held.withLock { $0 = response }
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isHeld: Bool? = held.withLock { held in
      guard held != nil else { return nil }
      held?.body.append(contentsOf: bytes)
      return (held?.body.count ?? 0) <= Self.limit
    }
    switch isHeld {
    case true?: return true
    // It is longer than any page about a certificate.
    case false?: return flush()
    case nil: return sink?.write(bytes) ?? true
    }
  }

  private var sink: (any HTTPBodySink)? {
    if case .sink(let sink) = body { return sink }
    return nil
  }

  private func flush() -> Bool {
    let response = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let response, let sink else { return true }
    var head = response
    head.body = []
    return sink.begin(head)
      && (response.body.isEmpty || response.body.withUnsafeBytes { sink.write($0) })
  }

  private func notify(_ response: HTTPResponse) {
    for observer in observers { observer.didReceive(response, to: request) }
  }

  private func mayBeRefusal(_ response: HTTPResponse) -> Bool {
    guard let rule = request.certificateRule else { return false }
    return [400, 495, 496].contains(response.status)
      || rule.refusalStatuses.contains(response.status)
  }

  private func challenge(in response: HTTPResponse) -> ClientCertificateRefusal? {
    guard let rule = request.certificateRule else { return nil }
    guard
      response.certificateRefusal != nil || rule.refusalStatuses.contains(response.status)
    else { return nil }
    return ClientCertificateRefusal(
      .status(response.status), issuers: response.certificateRequest?.issuers ?? [])
  }

  /// The length of a response that is held back at most; nginx's pages have about 300 bytes.
  private static let limit = 1 << 16
}
