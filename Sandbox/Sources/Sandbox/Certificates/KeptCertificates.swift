import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// The certificates in the state directory: kept while they are good, so that pins stay.
extension StateDirectory {
  /// The chain of an earlier start if it is good for another day, else a new one.
  func serverChain() throws -> ServerChain {
    if let kept = keptChain, kept.isFresh(at: Date()), keptAuthority != nil { return kept }
    let authority = try Authority(name: "Sandbox", now: Date())
    let chain = try authority.serverChain(now: Date())
    try write(chain.rootPEM + "\n", to: .authority)
    try write(chain.servedPEM, to: .chain)
    try write(chain.keyPEM + "\n", to: .key)
    try write(authority.intermediateKey.pemRepresentation + "\n", to: .authorityKey)
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
      let blocks = try? PEMDocument.parseMultiple(pemString: served), blocks.count == 2
    else { return nil }
    return ServerChain(
      leafPEM: blocks[0].pemString, intermediatePEM: blocks[1].pemString, rootPEM: root,
      keyPEM: key)
  }
}

extension Certificate {
  /// Every certificate of a PEM file.
  static func all(inPEM text: String) throws -> [Certificate] {
    try PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }
  }
}
