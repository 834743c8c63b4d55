import TestSupport

@testable import Pinning

@Suite("Verdicts of pins")
struct PinVerdictTests {
  private let now = Timestamp(1_800_000_000)
  private let keys = (0..<4).map { Pin(key: [$0]) }
  private var path: [ChainKey] {
    keys.prefix(3).enumerated().map { index, pin in
      ChainKey(subject: "CN=\(index)", pin: pin, role: PinRole(position: index, of: 3))
    }
  }

  private func pins() throws -> PinSets {
    func set(_ pattern: String, _ key: Int, expires: Timestamp? = nil) throws -> PinSet {
      var set = PinSet(
        try #require(PinPattern(pattern)), keys: [PinnedKey(pin: keys[key], role: .root)])
      set.expires = expires
      return set
    }
    return PinSets([
      try set("**.a.test", 2), try set("b.test:8443", 3), try set("old.test", 0, expires: now),
    ])
  }

  @Test("a key anywhere in the path matches, under the pattern and the port")
  func matched() throws {
    let verdict = try pins().verdict(of: path, host: "c.a.test", at: now)
    guard case .matched(let key, let set) = verdict else { throw Unexpected(verdict) }
    #expect(key.pin == keys[2])
    #expect(set.pattern.description == "**.a.test")
    #expect(try pins().verdict(of: path, host: "evil-a.test", at: now) == .notPinned)
    #expect(try pins().verdict(of: path, host: "b.test", at: now) == .notPinned)
  }

  @Test("another key is a mismatch with both lists, and an expired set is refused")
  func refused() throws {
    let verdict = try pins().verdict(of: path, host: "b.test", port: 8443, at: now)
    guard case .mismatch(let mismatch, _) = verdict else { throw Unexpected(verdict) }
    #expect(mismatch.chain == path)
    #expect(mismatch.pinned.map(\.pin) == [keys[3]])
    guard case .expired = try pins().verdict(of: path, host: "old.test", at: now) else {
      throw Unexpected(verdict)
    }
  }

  @Test("an issuer is missing if no authority is trusted, and the server has not sent it")
  func missingIssuer() {
    let certificates = ["leaf", "ca"].map {
      CertificateDetails(subject: $0, issuer: "ca", notBefore: 0, notAfter: now, pin: keys[0])
    }
    for (lacksAuthority, count, issuer) in [(true, 1, "ca"), (false, 1, nil), (true, 2, nil)] {
      let chain = PresentedChain(
        served: Array(certificates.prefix(count)), validated: [], lacksAuthority: lacksAuthority)
      #expect(chain.missingIssuer == issuer)
    }
  }

  private struct Unexpected: Error {
    let verdict: PinVerdict
    init(_ verdict: PinVerdict) { self.verdict = verdict }
  }
}
