import JSON
import Primitives

extension IdentityStore: IdentityStoring {
  /// The identity for a host, its key unsealed.
  ///
  /// A valid one is preferred to an expired one; then one that names the host to a pattern, a longer pattern to a
  /// shorter one, and the one that expires last. A damaged identity of another host does not matter.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the key is sealed and cannot be unsealed; errors of
  ///   the store.
  public func identity(
    for host: String, acceptableIssuers: [[UInt8]]
  ) async throws(SDKError) -> Identity? {
    guard
      let best = try await sealedIdentity(for: host, acceptableIssuers: acceptableIssuers)
    else { return nil }
    return try await unsealed(best)
  }

  /// The identity for a host as it is stored: its key may be sealed.
  ///
  /// - Throws: errors of the store.
  public func sealedIdentity(
    for host: String, acceptableIssuers: [[UInt8]] = []
  ) async throws(SDKError) -> Identity? {
    var best: Candidate?
    for name in try names() {
      guard let identity = try readable(name, for: host),
        let specificity = identity.hosts.compactMap({ $0.specificity(for: host) }).max(),
        identity.chain.isAccepted(by: acceptableIssuers)
      else { continue }
      let candidate = Candidate(
        identity: identity, specificity: specificity, isValid: identity.chain.isValid(at: now()))
      if best.map({ $0.isWorse(than: candidate) }) ?? true { best = candidate }
    }
    return best?.identity
  }

  /// The one that ``identity(for:acceptableIssuers:)`` returns, if it can be used now and its key is
  /// not sealed, nor in a security token.
  ///
  /// - Throws: errors of the store.
  public func readyIdentity(for host: String) async throws(SDKError) -> Identity? {
    guard let best = try await sealedIdentity(for: host), best.chain.objection(at: now()) == nil,
      case .pem = best.key
    else { return nil }
    return best
  }

  /// The names of all identities for a host that can be read.
  public func names(for host: String) -> [IdentityName] {
    let names = (try? names()) ?? []
    return names.filter { name in
      guard let identity = try? files.stored(name) else { return false }
      return identity.hosts.contains { $0.specificity(for: host) != nil }
    }
  }

  /// The identity with its key as PEM, or in its security token, which is then open.
  ///
  /// - Throws: ``SDKError/Code/identity`` if it is sealed, and the passphrase is wrong or not given;
  ///   or if the security token is absent, or its PIN is wrong or not given.
  public func unsealed(_ identity: Identity) async throws(SDKError) -> Identity {
    let action = "could not use the identity '\(identity.name)'"
    if case .securityToken(let uri) = identity.key {
      try await attempt(action) { try await openSecurityToken(uri, of: identity) }
    }
    if case .passcodeSealed(let sealed) = identity.key {
      return try await attempt(action) { try await passcodeOpened(identity, sealed) }
    }
    guard case .sealed(let sealed) = identity.key else { return identity }
    guard let unlock else {
      throw SDKError(
        .identity, "\(action): its key is sealed, and there is no passphrase",
        subject: identity.name.description)
    }
    let passphrase = try await unlock(identity)
    return try await attempt(action) {
      let pem = try await onBackgroundThread { () throws(SDKError) in
        try sealed.pem(openedWith: passphrase)
      }
      guard let pem else {
        throw SDKError(
          .identity, cause: "the passphrase is wrong", subject: identity.name.description)
      }
      var opened = identity
      opened.key = .pem(pem)
      opened.passphrase = OpeningPassphrase(passphrase)
      return opened
    }
  }

  private func passcodeOpened(
    _ identity: Identity, _ sealed: String
  ) async throws(SDKError) -> Identity {
    guard let seal else {
      throw SDKError(
        .identity, cause: "its key is sealed, and nobody can be asked for the passcode",
        subject: identity.name.description)
    }
    try await seal.open()
    var opened = identity
    opened.key = .pem(try seal.unsealed(sealed, "key.pem", of: .identity).string ?? "")
    return opened
  }

  /// Stores an identity that a service has issued.
  ///
  /// - Throws: ``SDKError/Code/store`` if it cannot be written; ``SDKError/Code/identity`` if it
  ///   would replace one that a person imported or made.
  public func store(_ identity: Identity, for host: String) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      if let former = try files.stored(identity.name), !former.isObtained,
        former.chain != identity.chain
      {
        throw SDKError(
          .identity,
          "could not store the identity '\(identity.name)': one of that name was imported",
          subject: identity.name.description)
      }
      try files.write(identity)
    }
  }

  /// Takes an identity that the host has refused out of use.
  ///
  /// An obtained one is deleted; one that is for other hosts as well stays for those. One that a person imported or
  /// made is set aside (``Identity/refusedBy``). What is obtained for the host is preferred to one of a pattern. An
  /// identity that another process has replaced or deleted stays as it is.
  ///
  /// - Throws: ``SDKError/Code/store`` if it cannot be deleted.
  public func delete(_ identity: Identity, for host: String) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      guard var stored = try files.stored(identity.name), stored.chain == identity.chain else {
        return
      }
      let refused = stored.hosts.filter { $0.names(host) }
      stored.hosts.removeAll { $0.names(host) }
      guard !stored.isObtained || !stored.hosts.isEmpty else { return try files.erase(stored.name) }
      if !stored.isObtained { stored.refusedBy += refused }
      try files.write(stored)
    }
  }

  /// Shows identities again to a host that refused them, and the one in their place too.
  ///
  /// - Throws: ``SDKError/Code/store`` if they cannot be written.
  public func restore(for host: String) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      for name in try names() {
        guard var stored = try? files.stored(name),
          stored.refusedBy.contains(where: { $0.names(host) })
        else { continue }
        stored.hosts += stored.refusedBy.filter { $0.names(host) }
        stored.refusedBy.removeAll { $0.names(host) }
        try files.write(stored)
      }
    }
  }

  /// The name, or one with a number if a person imported or made the identity of the name.
  ///
  /// - Throws: ``SDKError/Code/store`` if the identities cannot be read.
  public func freeName(_ name: IdentityName) async throws(SDKError) -> IdentityName {
    var free = name
    var number = 1
    // One that cannot be read is not replaced either.
    while try names().contains(free), (try? files.stored(free))?.isObtained != true {
      number += 1
      free = try IdentityName("\(name)-\(number)")
    }
    return free
  }

  /// Reads an identity; `nil` for one that cannot be read, unless it has the name of the host.
  private func readable(_ name: IdentityName, for host: String) throws(SDKError) -> Identity? {
    do {
      return try files.stored(name)
    } catch {
      guard name.description == host else { return nil }
      throw error
    }
  }
}

extension IdentityHost {
  fileprivate func names(_ other: String) -> Bool { !includesSubdomains && host == other }
}

private struct Candidate {
  let identity: Identity
  let specificity: Int
  let isValid: Bool

  func isWorse(than other: Candidate) -> Bool {
    (isValid ? 1 : 0, specificity, identity.chain.notAfter)
      < (other.isValid ? 1 : 0, other.specificity, other.identity.chain.notAfter)
  }
}
