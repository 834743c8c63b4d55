import Pinning
import Primitives

/// Calls of okhttp's `CertificatePinner.Builder.add`, in Kotlin or Java.
enum OkHttpPins {
  static func export(_ sets: [PinSet], isJava: Bool) -> PinExport {
    var losses: [String] = []
    var lines: [String] = []
    for set in sets {
      losses += PinCapabilities([.directSubdomains, .allSubdomains]).losses(of: set)
      losses += unions(set, sets)
      let name = PinPattern(host: set.host, subdomains: set.pattern.subdomains)?.description
      for key in set.keys { lines.append("    .add(\"\(name ?? set.host)\", \"\(key.pin)\")") }
    }
    let begin =
      isJava
      ? "CertificatePinner certificatePinner = new CertificatePinner.Builder()"
      : "val certificatePinner = CertificatePinner.Builder()"
    let text = ([begin] + lines + ["    .build()\(isJava ? ";" : "")"]).joined(separator: "\n")
    return PinExport(text: text + "\n", losses: losses)
  }

  /// okhttp unites the pins of all patterns that match; here the nearest decides.
  private static func unions(_ set: PinSet, _ sets: [PinSet]) -> [String] {
    sets.compactMap { wider in
      guard wider.pattern != set.pattern, wider.pattern.includes(set.pattern),
        wider.keys.contains(where: { key in !set.keys.contains { $0.pin == key.pin } })
      else { return nil }
      return "\(set.pattern): okhttp also accepts the pins of \(wider.pattern) there"
    }
  }
}

extension PinPattern {
  /// Whether this pattern covers every name of the other one; neither covers the other if only one is
  /// for proxies.
  func includes(_ other: PinPattern) -> Bool {
    guard isProxy == other.isProxy else { return false }
    switch (subdomains, other.subdomains) {
    case (.none, _), (.direct, .all): return self == other
    case (.direct, .direct): return host == other.host
    case (.direct, .none), (.all, .none): return coversName(other.host)
    case (.all, .direct), (.all, .all): return host == other.host || coversName(other.host)
    }
  }
}
