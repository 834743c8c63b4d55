import HTTP
import JOSE
import JSON
import OAuth
import Pinning
import Primitives
import SDKCore

/// Checks a profile at its servers: metadata, clock, keys, pins.
///
/// The server is not asked for the registration: its response may replace what the client needs for the next
/// request (RFC 7592 section 3).
struct ServerHealth: Sendable {
  let session: ProfileSession
  let soon: Timestamp

  func findings() async -> [Finding] {
    var findings = await pinFindings()
    guard let issuer = session.profile.issuer?.text else { return findings }
    let (discovery, keys) = (await discovery(issuer), await keys(issuer))
    findings.append(discovery)
    if let clock = clock(issuer, wasReached: [discovery, keys].contains { $0.severity == .ok }) {
      findings.append(clock)
    }
    findings.append(keys)
    return findings
  }

  private func pinFindings() async -> [Finding] {
    let own = session.profile.pinEndpoints
    let places = own.isEmpty ? session.pins.sets.compactMap(\.pattern.endpoint) : own
    return await session.pinning.check(places, until: soon).map { finding in
      if let error = finding.error, error.localCause != nil {
        return Finding(.serverPins, error)
      }
      let subject = finding.endpoint.name
      let text = finding.cause ?? "a pinned key is in its chain"
      return switch finding.status {
      case .ok: Finding(.serverPins, .ok, text, about: subject)
      case .willExpire, .backupOnly, .drift, .noStatus:
        Finding(.serverPins, .warning, text, about: subject)
      case .unpinned:
        Finding(
          .serverPins, session.profile.pinPolicy == .report ? .warning : .error, text,
          about: subject, remedy: .pinHost(subject))
      case .mismatch, .expired:
        Finding(.serverPins, .error, text, about: subject, remedy: .checkPins(host: subject))
      case .untrusted, .unreachable, .revoked:
        Finding(.serverPins, .error, text, about: subject)
      }
    }
  }

  private func discovery(_ issuer: String) async -> Finding {
    guard session.profile.usesDiscovery else {
      return Finding(.discovery, .ok, "the profile names the endpoints itself", about: issuer)
    }
    do throws(SDKError) {
      let document = try await session.metadata(isFresh: true)
      return Finding(
        .discovery, .ok, "its metadata has \(document.count) members", about: issuer)
    } catch {
      return Finding(.discovery, error, about: issuer)
    }
  }

  /// The clock of a server that has responded; `nil` if nothing is known of it.
  private func clock(_ issuer: String, wasReached: Bool) -> Finding? {
    guard let behind = session.clockDelay else {
      guard wasReached, session.profile.usesDiscovery else { return nil }
      return Finding(
        .serverClock, .ok, "no difference of more than a minute was seen", about: issuer)
    }
    return Finding(
      .serverClock, .error,
      "this machine's clock is \(behind.magnitude) seconds "
        + "\(behind > 0 ? "behind" : "ahead of") the server's", about: issuer)
  }

  private func keys(_ issuer: String) async -> Finding {
    do throws(SDKError) {
      let published = try await session.issuerKeys()
      let current = try await published.current()
      let newer = current.isCached ? try await published.newer() : nil
      let keys = (newer ?? current.keys).keys
      guard !keys.isEmpty else {
        return Finding(.keys, .error, "it publishes no key", about: published.url.description)
      }
      return Finding(
        .keys, .ok, "it publishes \(keys.count.counted("key"))",
        about: published.url.description)
    } catch {
      // A server that signs no tokens publishes no keys.
      return Finding(
        .keys, error, about: issuer, as: error.code == .unsupported ? .warning : .error)
    }
  }
}
