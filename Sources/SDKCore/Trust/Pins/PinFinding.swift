public import Pinning
public import Primitives

/// What a check of the pins of one endpoint found.
public struct PinFinding: Sendable, Hashable {
  /// The result, in the words that scripts read.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// A pinned key is in the chain, for longer than was asked.
    case ok = "OK"
    /// A pinned key is in the chain, but its certificate or the pins end soon.
    case willExpire = "WILL-EXPIRE"
    /// Only a backup key is in the chain: the keys were rotated.
    case backupOnly = "BACKUP-ONLY"
    /// A pinned key is in the chain, but another one that was pinned is not any more.
    case drift = "DRIFT"
    /// No pinned key is in the chain: requests are refused.
    case mismatch = "MISMATCH"
    /// The pins have expired: requests are refused.
    case expired = "EXPIRED"
    /// The host has no pins: requests are refused.
    case unpinned = "UNPINNED"
    /// The certificate of the host was revoked.
    case revoked = "REVOKED"
    /// The host did not prove that its certificate is not revoked.
    case noStatus = "NO-STATUS"
    /// The chain or the host name does not validate.
    case untrusted = "UNTRUSTED"
    /// No handshake took place.
    case unreachable = "UNREACHABLE"
  }

  /// What was checked.
  public let endpoint: PinEndpoint
  /// The result.
  public private(set) var status: Status
  /// The pinned key that the chain has, the nearest to the leaf; a backup only if no other is.
  public internal(set) var matched: PinnedKey?
  /// When the last certificate with a pinned key ends.
  public internal(set) var certificateExpires: Timestamp?
  /// When the pins of the host end.
  public internal(set) var pinsExpire: Timestamp?
  /// What the server showed, if a handshake took place.
  public internal(set) var presented: PresentedChain?
  /// Why the result is not ``Status/ok``, for people.
  public internal(set) var cause: String?
  /// Both lists of a mismatch.
  public internal(set) var mismatch: PinMismatch?
  /// Further lines about the cause, for people: both lists of a mismatch, also of a proxy on the way.
  public var details: [String] { mismatch?.lines ?? proxyDetails }
  private var proxyDetails: [String] = []
  /// Why no handshake took place; `nil` if one did.
  public private(set) var error: SDKError?

  init(
    _ endpoint: PinEndpoint, _ status: Status, _ error: SDKError? = nil, cause: String? = nil
  ) {
    self.endpoint = endpoint
    self.status = status
    self.cause = cause
    self.error = error
  }

  /// A handshake that failed; an HTTPS proxy on the way has pins of its own.
  init(_ endpoint: PinEndpoint, failing error: SDKError) {
    let status: Status =
      error.code != .pin ? .unreachable : error.details.isEmpty ? .expired : .mismatch
    self.init(endpoint, status, error, cause: error.message)
    proxyDetails = error.details
  }

  /// Compares what an endpoint showed with its pins.
  public init(
    of endpoint: PinEndpoint, showing presented: PresentedChain, with set: PinSet,
    until end: Timestamp
  ) {
    self = Self.finding(endpoint, presented, set, end)
    self.presented = presented
    pinsExpire = set.expires
  }

  /// The same, with what the issuer of the certificate says about it; what is worse stays.
  func applying(_ rule: RevocationRule) -> PinFinding {
    guard rule != .ignored, let revocation = presented?.revocation,
      [.ok, .willExpire, .backupOnly, .drift].contains(status)
    else { return self }
    var finding = self
    if revocation.state == .revoked {
      finding.status = .revoked
      finding.cause = "its certificate is \(revocation.text)"
    } else if rule == .required, revocation.state != .good {
      finding.status = .noStatus
      finding.cause = "the status of its certificate is \(revocation.text)"
    }
    return finding
  }

  private static func finding(
    _ endpoint: PinEndpoint, _ presented: PresentedChain, _ set: PinSet, _ end: Timestamp
  ) -> PinFinding {
    if let error = presented.verificationError {
      return PinFinding(endpoint, .untrusted, cause: error)
    }
    let matches = presented.matches(with: set)
    guard let first = matches.first(where: { $0.key.role != .backup }) ?? matches.first else {
      var finding = PinFinding(endpoint, .mismatch, cause: "no key of its chain is pinned")
      finding.mismatch = PinMismatch(
        host: endpoint.name, chain: presented.keys, pinned: set.keys)
      return finding
    }
    let missing = set.rolesMissing(in: matches.map(\.key))
    let expires = matches.filter { ($0.key.role == .backup) == (first.key.role == .backup) }
      .map(\.expires).max()
    var finding: PinFinding
    if first.key.role == .backup {
      finding = PinFinding(
        endpoint, .backupOnly, cause: "only a backup key matches; pin a new backup key")
    } else if let role = missing.first {
      finding = PinFinding(
        endpoint, .drift,
        cause: "no pinned \(role.rawValue) key is in its chain any more; "
          + "only the \(first.key.role.rawValue) key matches")
    } else if let expires, expires < end {
      finding = PinFinding(
        endpoint, .willExpire, cause: "the certificate of the pinned key ends on \(expires.date)")
    } else if let expires = set.expires, expires < end {
      finding = PinFinding(endpoint, .willExpire, cause: "its pins end on \(expires.date)")
    } else {
      finding = PinFinding(endpoint, .ok)
    }
    finding.matched = first.key
    finding.certificateExpires = expires
    return finding
  }
}

extension PinSet {
  fileprivate func rolesMissing(in matches: [PinnedKey]) -> [PinRole] {
    [.leaf, .intermediate, .root].filter { role in
      keys.contains { $0.role == role } && !matches.contains { $0.role == role }
    }
  }
}
