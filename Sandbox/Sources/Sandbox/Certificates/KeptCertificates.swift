import FoundationEssentials

/// The certificates in the state directory: kept while they are good, so that pins stay.
extension StateDirectory {
  /// The chain of an earlier start if it is good for another day, else a new one.
  func serverChain() throws -> ServerChain {
    if let kept = keptChain, kept.isFresh(at: Date()) { return kept }
    let chain = try Authority(name: "Sandbox", now: Date()).serverChain(now: Date())
    try write(chain.rootPEM + "\n", to: .authority)
    try write(chain.servedPEM, to: .chain)
    try write(chain.keyPEM + "\n", to: .key)
    return chain
  }

  private var keptChain: ServerChain? {
    guard let root = read(.authority), let served = read(.chain), let key = read(.key) else {
      return nil
    }
    let end = "-----END CERTIFICATE-----"
    let blocks = served.split(separator: end).dropLast()
    guard blocks.count == 2 else { return nil }
    func trimmed(_ text: Substring) -> String { String(text.drop { $0 == "\n" }) }
    return ServerChain(
      leafPEM: trimmed(blocks[0]) + end, intermediatePEM: trimmed(blocks[1]) + end,
      rootPEM: root, keyPEM: key)
  }
}
