/// `certificate`: make a certificate by which a client authenticates.
enum CertificateCommand {
  static let verb = Verb(
    name: "certificate", operands: "NAME",
    summary: "make a certificate and key for a client",
    options: [
      .init(name: "out", value: "FILE", summary: "where the certificate goes (NAME.pem)"),
      .init(name: "key-out", value: "FILE", summary: "where its key goes (NAME-key.pem)"),
      .init(name: "self-signed", summary: "under no authority but its own key"),
      .init(name: "expired", summary: "one whose time is over"),
      Verb.json, Verb.directory,
    ], count: 1...1
  ) { arguments in
    let name = arguments.operands[0]
    guard ClientIdentity.isName(name) else {
      throw Failure.usage("NAME has 1 to 63 letters, digits, dots or dashes")
    }
    let authority = arguments.flag("self-signed") ? nil : try authority(arguments)
    let identity = try ClientIdentity(
      name: name, authority: authority, isExpired: arguments.flag("expired"), now: Sandbox.now)
    let file = arguments.values["out"] ?? "\(name).pem"
    let keyFile = arguments.values["key-out"] ?? "\(name)-key.pem"
    try StateDirectory.write(try identity.keyPEM(), to: keyFile)
    try StateDirectory.write(try identity.chainPEM(), to: file)
    Output.text(
      arguments.flag("json")
        ? try json(identity, file, keyFile).pretty + "\n"
        : """
        The certificate is in \(file), its key in \(keyFile).
          subject  \(identity.leaf.subject)
          SHA-256  \(ShownCertificate(identity.leaf).thumbprint)

        """)
    return 0
  }

  private static func authority(_ arguments: Arguments) throws(Failure) -> Authority {
    guard let authority = try StateDirectory(arguments.values["dir"]).keptAuthority else {
      throw Failure(
        "could not make the certificate: the sandbox has no authority before its first start",
        hint: "sdkctl-sandbox start --background", exit: .store)
    }
    return authority
  }

  private static func json(
    _ identity: ClientIdentity, _ file: String, _ keyFile: String
  ) throws -> JSON {
    [
      "certificate": .string(file), "key": .string(keyFile),
      "subjectDN": .string("\(identity.leaf.subject)"),
      "x5t#S256": .string(ShownCertificate(identity.leaf).thumbprint),
      "jwk": identity.publicJWK(),
    ]
  }
}
