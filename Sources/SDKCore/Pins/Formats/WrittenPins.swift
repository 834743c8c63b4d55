import Pinning

/// Formats that are written only: no document has them alone.
enum WrittenPins {
  /// A map for an app in Dart, which compares the keys itself.
  static func dart(_ sets: [PinSet]) -> PinExport {
    let lines = sets.map { set in
      let pins = set.keys.map { "    '\($0.pin)'," }.joined(separator: "\n")
      return "  '\(set.pattern)': [\n\(pins)\n  ],"
    }
    let text = "const pins = <String, List<String>>{\n\(lines.joined(separator: "\n"))\n};\n"
    let capabilities: PinCapabilities = [.ports, .directSubdomains, .allSubdomains]
    return PinExport(text: text, losses: sets.flatMap(capabilities.losses))
  }

  /// `verify_certificate_spki` of Envoy's CertificateValidationContext.
  static func envoy(_ set: PinSet) -> PinExport {
    let pins = set.keys.map { "    - \"\($0.pin.base64)\"" }.joined(separator: "\n")
    let losses =
      PinCapabilities([.ports, .directSubdomains, .allSubdomains]).losses(of: set)
      + leafOnly(set, "Envoy")
    return PinExport(
      text: """
        # Without trusted_ca Envoy compares the key, and does not validate the chain.
        validation_context:
          trusted_ca: { filename: /etc/ssl/certs/ca-certificates.crt }
          verify_certificate_spki:
        \(pins)

        """, losses: losses)
  }

  /// The switch of Chromium for servers under test: the keys whose certificates it accepts.
  static func chromium(_ sets: [PinSet]) -> PinExport {
    var pins: [String] = []
    for key in sets.flatMap(\.keys) where !pins.contains(key.pin.base64) {
      pins.append(key.pin.base64)
    }
    return PinExport(
      text: "\(dashes)ignore-certificate-errors-spki-list=\(pins.joined(separator: ","))\n",
      losses: [
        "Chromium accepts certificates of these keys for every host, and refuses no other key; it needs a "
          + "user data directory of its own"
      ])
  }

  /// The beginning of a switch of Chromium; the library has no options of its own.
  private static let dashes = String(repeating: "-", count: 2)

  /// What a program does not use that compares only the key of the leaf.
  static func leafOnly(_ set: PinSet, _ program: String) -> [String] {
    let authorities = set.keys.filter { $0.role == .intermediate || $0.role == .root }
    guard !authorities.isEmpty else { return [] }
    return [
      "\(set.pattern): \(program) compares only the key of the leaf; it does not use "
        + authorities.map(\.role.rawValue).joined(separator: " and ") + " pins"
    ]
  }
}
