package import HTTP
import Pinning

extension SessionEnvironment {
  /// Refuses what would contact servers without pins, before a person is asked for anything; makes no
  /// connection.
  ///
  /// - Parameters:
  ///   - urls: what will be contacted.
  ///   - others: what may be contacted later: hosts of it without pins are named beside the missing ones.
  /// - Returns: the hosts of `others` that have no pins.
  /// - Throws: ``SDKError/Code/pin`` that names all hosts without pins, with the remedy that pins them.
  @discardableResult
  package func requirePins(
    of urls: [HTTPURL], besides others: [HTTPURL] = []
  ) throws(SDKError) -> [String] {
    let missing = try unpinned(urls) { (refusal) throws(SDKError) in throw SDKError(refusal) }
    let later = try unpinned(others) { _ in }.filter { !missing.contains($0) }
    guard !missing.isEmpty else { return later }
    throw SDKError(
      .pin, cause: "no key is pinned for \(missing.joined(separator: ", "))",
      details: later.isEmpty
        ? [] : ["not needed now, but not pinned either: \(later.joined(separator: ", "))"],
      subject: missing[0], remedy: .pinHosts(missing))
  }

  private func unpinned(
    _ urls: [HTTPURL], refused: (TransportError) throws(SDKError) -> Void
  ) throws(SDKError) -> [String] {
    var hosts: [String] = []
    for url in urls {
      guard let refusal = transport.refusal(of: url) else { continue }
      if refusal.code == .notPinned {
        if !hosts.contains(url.authority) { hosts.append(url.authority) }
      } else {
        try refused(refusal)
      }
    }
    return hosts
  }
}
