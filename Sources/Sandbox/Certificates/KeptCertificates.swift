/// The certificates in the state directory: kept while they are good, so that pins stay.
extension StateDirectory {
  /// The chain of an earlier start if it is good for another day, else a new one.
  func serverChain() throws -> ServerChain {
    if let kept = keptChain, kept.isFresh(at: Sandbox.now), keptAuthority != nil { return kept }
    let authority = try Authority(name: "Sandbox", now: Sandbox.now)
    let chain = try authority.serverChain(now: Sandbox.now)
    try write(chain.rootPEM, to: .authority)
    try write(chain.servedPEM, to: .chain)
    try write(chain.keyPEM, to: .key)
    try write(try authority.intermediateKey.pem(), to: .authorityKey)
    return chain
  }

  /// The authority of the last start, which issues the certificates of clients.
  var keptAuthority: Authority? {
    guard let chain = keptChain, let key = read(.authorityKey) else { return nil }
    return try? Authority(
      rootPEM: chain.rootPEM, intermediatePEM: chain.intermediatePEM, keyPEM: key)
  }

  private var keptChain: ServerChain? {
    guard let root = read(.authority), let served = read(.chain), let key = read(.key),
      let blocks = try? Certificate.all(inPEM: served), blocks.count == 2,
      let leaf = try? blocks[0].pem(), let intermediate = try? blocks[1].pem()
    else { return nil }
    return ServerChain(
      leafPEM: leaf, intermediatePEM: intermediate, rootPEM: root,
      keyPEM: key)
  }
}
