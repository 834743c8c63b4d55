import CoreTestSupport

@testable import Commands
@testable import SDKCore

/// A program in whose store, files and network every name and text acts on a terminal, and forges
/// lines and fields.
struct HostileWorld {
  /// What stands in every place.
  static let text =
    "x\u{1B}[31m\u{9B}2J\u{202E}y\rFORGED\nFORGED\tFORGED\u{2028}FORGED\u{2029}FORGED\u{7}"

  /// The same, short enough for a common name, and for a host name of letters.
  static let short = "x\u{1B}[31m\u{202E}\nFORGED\tFORGED"

  /// What the servers do.
  enum Server: CaseIterable, Sendable {
    /// They answer with success, and hostile values.
    case generous
    /// They refuse, for hostile reasons.
    case refusing
    /// They cannot be reached, for hostile reasons.
    case missing
  }

  let program: TestProgram

  /// The values that break a rule for lines or terminals in a text.
  static func faults(in text: String) -> [String] {
    var faults: [String] = []
    for scalar in text.unicodeScalars where scalar.acts && !["\n", "\t"].contains(scalar) {
      faults.append("raw U+\(String(scalar.value, radix: 16))")
    }
    // A forged line or field begins with it.
    let fields = text.split { $0 == "\n" || $0 == "\t" }
    return faults + fields.filter { $0.hasPrefix("FORGED") }.map { "forged: \($0)" }
  }

  /// A world in which the settings of the profile may be hostile too, as far as it accepts them.
  init(hasHostileSettings: Bool) async throws {
    program = try TestProgram([:])
    try settings(isHostile: hasHostileSettings)
    try await registration()
    try await tokens()
    try pins()
    try await files()
    program.enrol(at: FakeEnrolment())
    program.terminal.onPrompt { _ in "y" }
    for host in ["api.test", "id.test", "cert.test"] {
      program.show(
        .success(PresentedChain(served: [Self.certificate], validated: [Self.certificate])),
        at: "\(host):443")
    }
  }

  /// How the servers behave from now on.
  func set(_ server: Server) {
    let json = Self.json
    program.transport.setDefaultCheck { sent in
      switch server {
      case .missing: return .failure(.connection, Self.text)
      case .refusing where sent.url != FakeServer.metadataURL:
        return .json(
          #"{"error":\#(json),"error_description":\#(json),"error_uri":\#(json)}"#, status: 400)
      case .refusing: return .json(Self.metadata)
      case .generous:
        return switch sent.url {
        case FakeServer.metadataURL: .json(Self.metadata)
        case FakeServer.tokenURL:
          .json(#"{"access_token":"a","token_type":\#(json),"scope":\#(json)}"#)
        case "https://id.test/jwks": .json(#"{"keys":[{"kty":"EC","kid":\#(json)}]}"#)
        default: .json(Self.answer)
        }
      }
    }
  }

  private static let answer = """
    {"sub":"s","active":true,"client_id":\(json),"client_name":\(json),
     "registration_client_uri":"https://id.test/register/app","device_code":"d",
     "user_code":\(json),"verification_uri":"https://id.test/d",\(json):\(json)}
    """

  /// The text as JSON.
  static let json = JSON.string(text).serialized()

  private static let metadata = FakeServer.metadata(
    with: """
      "scopes_supported":[\(json)],"introspection_endpoint":"https://id.test/i",
      "token_endpoint_auth_methods_supported":[\(json)],\(json):\(json)
      """)

  static let token = TestToken.text(
    """
    {"iss":\(json),"sub":\(json),"aud":[\(json)],"exp":4102444800,"scope":\(json),
     \(json):{\(json):1}}
    """, header: "{\"alg\":\"ES256\",\"kid\":\(json),\"typ\":\(json),\(json):\(json)}")

  /// The same token without the members of hostile names.
  static let otherToken = TestToken.text(#"{"sub":"s"}"#)

  private static let certificate = CertificateDetails(
    subject: text, issuer: text, notBefore: 0, notAfter: 4_102_444_800, pin: TestChain.pin("h"),
    keyType: text)

  private func settings(isHostile: Bool) throws {
    try program.folder.write(
      #"{"version":1,"current":"work","alias":{\#(Self.json):"fetch \#(Self.json.dropFirst())}}"#,
      to: "store/config/config.json")
    try program.folder.write("#!/bin/sh\n", to: "bin/sdkctl-\(Self.text)", mode: 0o755)
    guard isHostile else { return }
    var profile = try program.store.profile(program.name)
    for key in SettingTable.ofProgram.keys {
      try? profile.set(key.name, to: .string(Self.text))
    }
    try program.store.save(profile)
  }

  private func registration() async throws {
    try await program.register([
      "client_name": .string(Self.text), Self.text: .string(Self.text),
      "contacts": [.string(Self.text)], "registration_access_token": "rat",
      "registration_client_uri": "https://id.test/register/app",
    ])
  }

  private func tokens() async throws {
    try await program.store(Self.token, scope: Self.text, type: Self.text, idToken: Self.token)
    try await program.store("a1", lifetime: -1, scope: Self.text, in: .anonymous)
    try await program.store("i1", lifetime: nil, scope: Self.text, in: .implicit)
  }

  /// The document of pins, with a text in every member that is one.
  static let pins = """
    {"version":1,\(json):\(json),"hosts":{"api.test":{"comment":\(json),"policy":"report",
      "keys":[{"pin":"\(TestChain.pin("a"))","label":\(json),
      "comment":\(json),"origin":"file x\(json.dropFirst()),"keyType":\(json)}]}}}
    """

  private func pins() throws {
    try program.folder.write(
      Self.pins, to: "store/config/profiles/work/pins.json", mode: 0o644)
  }

  /// The files that command lines name.
  private func files() async throws {
    let identity = try TestIdentity.make(
      "mine", hosts: [], commonName: Self.short, lifetime: 600)
    let prefix = "com.sap.mobilesecure.certificateService."
    let key = """
      {"kid":\(Self.json),"kty":"EC","crv":"P-256",
       "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
       "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
      """
    let sap = """
      {"\(prefix)authType":{"type":"oauth","client_id":\(Self.json),"scope":\(Self.json),
        "redirect_uri":\(Self.json)},
       "\(prefix)requestEndpoint":"https://cert.test/r",
       "\(prefix)publicKeyPinSet":["\(TestChain.pin("s").base64)"]}
      """
    let contents: [String: String] = [
      "token.jwt": Self.token, "other.jwt": Self.otherToken,
      "identity.pem": (identity.key.pem ?? "") + identity.chain.pem,
      "certificate.pem": identity.chain.pem, "pins.json": Self.pins, "key.jwk": key,
      "broken.json": #"{"version":1,"hosts":{\#(Self.json):{"keys":[]}}}"#, "sap.json": sap,
      "batch": "{\"path\":\"/me\",\"id\":\(Self.json)}\n{\"path\":\(Self.json)}\n",
      "secret": "word\n", "hostile": Self.text,
    ]
    for (name, content) in contents { try program.folder.write(content, to: name) }
    let path = program.folder.file("identity.pem")
    _ = try await program.run("identity", "import", path, "--name", "mine", "--host", "api.test")
  }
}
