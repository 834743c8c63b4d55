import JSON
import Pinning
import Primitives
import SDKCore

/// Shows a chain to a person, asks, and pins keys of it.
struct PinReview {
  let context: Context
  /// Whether the person has agreed beforehand.
  let isAgreed: Bool
  var includesSubdomains = false
  var expires: Timestamp?

  /// Looks at a server and pins the keys of the wanted roles.
  func pin(_ place: PinPlace, roles: [PinRole]) async throws(Failure) {
    let session = try context.session()
    let chain = try await translating(session.profile.name) { () async throws(SDKError) in
      try await session.pinning.probe(host: place.host, port: place.port)
    }
    if let error = chain.verificationError { throw untrusted(place, chain, error) }
    let chosen = chain.keys.filter { roles.contains($0.role) }
    guard !chosen.isEmpty else {
      throw Failure(
        .failure, "no_such_key",
        "could not pin \(place.host): its chain has no \(roles.map(\.rawValue).joined(separator: " or "))"
      )
    }
    context.note("\(place.description) shows this chain:")
    for line in lines(chain, chosen) { context.note("  \(line)") }
    let names = chosen.map(\.role.rawValue).joined(separator: " and ")
    try await context.confirm("Pin the \(names) key of \(place.host)?", isAgreed: isAgreed)
    let keys = chosen.map {
      PinnedKey(pin: $0.pin, role: $0.role, label: $0.subject, added: context.now())
    }
    try await add(keys, to: place.host)
  }

  /// Adds keys to the pins of a host.
  func add(_ keys: [PinnedKey], to host: String) async throws(Failure) {
    let session = try context.session()
    try refuseExpired(session, host)
    guard let host = HostName.normalized(host) else { throw .usage("'\(host)' is not a host name") }
    if includesSubdomains, PublicSuffix.contains(host) {
      throw .usage("could not pin the subdomains of '\(host)': it is a public suffix")
    }
    let (subdomains, expires) = (includesSubdomains, expires)
    try await translating(session.profile.name) { () async throws(SDKError) in
      try await session.pinning.change { book in
        let old = book[host]
        let fresh = Set(keys.map(\.pin))
        let kept = (old?.keys ?? []).filter { !fresh.contains($0.pin) }
        let set = PinSet(
          host: host, includesSubdomains: subdomains || old?.includesSubdomains ?? false,
          expires: expires ?? old?.expires, keys: kept + keys)
        return set.map { book.adding($0) } ?? book
      }
    }
    for key in keys {
      if context.globals.json {
        context.print([
          "host": .string(host), "pin": .string(key.pin.description),
          "role": .string(key.role.rawValue), "label": key.label.map { .string($0) } ?? .null,
        ])
      } else {
        context.note("pinned \(key.pin) (\(key.role.rawValue)) for \(host)")
      }
    }
  }

  /// Keys that join an expired set would be refused with it.
  private func refuseExpired(_ session: ProfileSession, _ host: String) throws(Failure) {
    guard expires == nil, let set = session.pins[host], set.isExpired(at: context.now()) else {
      return
    }
    throw .usage(
      "the pins of \(host) have expired; set a new date with --expires DATE")
  }

  private func lines(_ chain: PresentedChain, _ chosen: [ChainKey]) -> [String] {
    zip(chain.validated, chain.keys).map { certificate, key in
      let mark = chosen.contains { $0.pin == key.pin } ? "*" : " "
      let role = key.role.rawValue.padding(to: 12)
      return "\(mark) \(role) \(key.pin)  \(certificate.subject), "
        + "until \(certificate.notAfter.date)"
    }
  }

  private func untrusted(
    _ place: PinPlace, _ chain: PresentedChain, _ error: String
  ) -> Failure {
    var failure = Failure(
      .tls, "tls", "could not pin \(place.host): its chain is not trusted: \(error)",
      hints: [
        "sdkctl -p \((try? context.profileName().description) ?? "NAME") profile set caFile=/PATH/TO/CA.pem"
      ])
    failure.details =
      ["served by \(place.description):"]
      + chain.served.map { "\($0.pin)  \($0.subject), until \($0.notAfter.date)" }
    return failure
  }
}

extension String {
  /// The text with spaces behind it, up to a width.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
