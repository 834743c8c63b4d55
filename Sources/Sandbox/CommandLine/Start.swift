import Glibc

/// `start`: serve here, or start another process that serves and return.
enum Start {
  static let verb = Verb(
    name: "start", summary: "start the sandbox and write the profile 'sandbox'",
    options: [
      .init(name: "background", summary: "return once it serves"),
      .init(name: "port", value: "N", summary: "port to listen on (8443; 0 finds a free one)"),
      .init(
        name: "mtls-port", value: "N", summary: "port for mutual TLS (the next one, or a free one)"),
      Verb.directory,
      .init(name: "no-profile", summary: "leave sdkctl's store alone"),
      .init(name: "token-lifetime", value: "S", summary: "seconds an access token lives (300)"),
      .init(name: "token-format", value: "F", summary: "access tokens: jwt (default) or opaque"),
      .init(name: "device-interval", value: "S", summary: "seconds between a device's polls (5)"),
      .init(name: "device-lifetime", value: "S", summary: "seconds a device code lives (600)"),
      .init(name: "client-ca", value: "FILE", summary: "certificates of clients may lead there"),
      .init(name: "trust", value: "ISSUER=FILE", summary: "take its assertions, by this JWK set"),
      .init(name: "flavour", value: "NAME", summary: "token answers: standard or onegini"),
      .init(
        name: "payload-encryption", summary: "resources refuse requests that are not encrypted"),
      .init(name: "closed", summary: "registration needs the initial access token"),
      .init(name: "json", summary: "print JSON"),
      .init(
        name: "announce", value: "FD", summary: "tell a parent when it serves", isInternal: true),
    ]
  ) { arguments in
    let directory = try StateDirectory(arguments.values["dir"])
    let port = try arguments.number("port", in: 0...65_535) ?? 8443
    let mutualPort = try arguments.number("mtls-port", in: 0...65_535)
    let settings = try settings(arguments)
    try directory.create()
    if arguments.flag("announce") { Descriptor.closeAll(from: 4) }
    do {
      if arguments.flag("background") { return try Background(directory, arguments).start() }
      return try Foreground(
        directory: directory, port: port, mutualPort: mutualPort, settings: settings,
        arguments: arguments
      ).serve()
    } catch let failure as Failure where failure.hint == otherPortHint {
      throw Failure(failure.message, hint: commandOnFreePort(arguments), exit: failure.exit)
    }
  }

  /// The hint if a port cannot be used.
  static let otherPortHint = "sdkctl-sandbox start --port 0"

  /// The same command, on free ports.
  static func commandOnFreePort(_ arguments: Arguments) -> String {
    let kept = arguments.values.filter { !["port", "mtls-port", "announce"].contains($0.key) }
    let words = kept.sorted { $0.key < $1.key }.map { name, value in
      value.isEmpty ? "--\(name)" : "--\(name) \(Profile.quoted(value))"
    }
    return (["sdkctl-sandbox start"] + words + ["--port 0"]).joined(separator: " ")
  }

  private static func settings(_ arguments: Arguments) throws(Failure) -> Settings {
    var settings = Settings()
    let lifetimes = 1...86_400
    settings.accessTokenLifetime =
      try arguments.number("token-lifetime", in: lifetimes) ?? settings.accessTokenLifetime
    settings.deviceInterval =
      try arguments.number("device-interval", in: 1...60) ?? settings.deviceInterval
    settings.deviceLifetime =
      try arguments.number("device-lifetime", in: lifetimes) ?? settings.deviceLifetime
    settings.accessTokenFormat = arguments.values["token-format"] ?? settings.accessTokenFormat
    guard ["jwt", "opaque"].contains(settings.accessTokenFormat) else {
      throw .usage("--token-format takes jwt or opaque")
    }
    settings.closedRegistration = arguments.flag("closed")
    settings.payloadEncryption = arguments.flag("payload-encryption")
    if let name = arguments.values["flavour"] {
      guard let flavour = Flavour(rawValue: name) else {
        throw .usage("--flavour takes standard or onegini")
      }
      settings.flavour = flavour
    }
    if let file = arguments.values["client-ca"] {
      guard let roots = try? Certificate.all(inPEM: try read(file)), !roots.isEmpty else {
        throw Failure("could not read certificates from '\(file)'", exit: .store)
      }
      settings.clientRoots = roots
    }
    settings.trustedIssuer = try arguments.values["trust"].map(trustedIssuer)
    return settings
  }

  private static func trustedIssuer(_ text: String) throws(Failure) -> TrustedIssuer {
    let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard halves.count == 2 else { throw .usage("--trust takes ISSUER=FILE") }
    let document = JSON(parsing: Array(try read(halves[1]).utf8))
    let keys = (document?["keys"]?.array ?? []).compactMap(VerificationKey.init(jwk:))
    guard !keys.isEmpty else {
      throw Failure("could not read keys from '\(halves[1])': it is no JWK set", exit: .store)
    }
    return TrustedIssuer(name: halves[0], keys: keys)
  }

  static func read(_ file: String) throws(Failure) -> String {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure("could not read '\(file)': \(systemText())", exit: .store)
    }
    defer { close(descriptor) }
    return String(decoding: Descriptor.readAll(descriptor), as: UTF8.self)
  }
}
