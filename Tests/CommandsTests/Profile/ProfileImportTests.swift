import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("profile import")
struct ProfileImportTests {
  private static let prefix = "com.sap.mobilesecure.certificateService."
  private static let pin = String(repeating: "A", count: 43) + "="

  private static let document = """
    {"certificate": "com.sap.mobilesecure.certificateService",
     "\(prefix)attributesEndpoint": "https://cert.test/api/getUserCertificateAttributes",
     "\(prefix)requestEndpoint": "https://cert.test/api/requestUserCertificates",
     "\(prefix)publicKeyPinSet": ["\(pin)"],
     "\(prefix)authType": {"type": "oauth", "client_id": "com.sap.app", "redirect_uri": "app://",
       "authorizationEndpoint": "https://id.test/oauth/authorize",
       "tokenEndpoint": "https://id.test/oauth/token"}}
    """

  private static let propertyList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>\(prefix)attributesEndpoint</key>
      <string>https://cert.test/api/getUserCertificateAttributes</string>
      <key>\(prefix)requestEndpoint</key>
      <string>https://cert.test/api/requestUserCertificates</string>
      <key>\(prefix)publicKeyPinSet</key><array><string>\(pin)</string></array>
      <key>\(prefix)authType</key><dict><key>type</key><string>oauth</string>
        <key>client_id</key><string>com.sap.app</string>
        <key>redirect_uri</key><string>app://</string>
        <key>authorizationEndpoint</key><string>https://id.test/oauth/authorize</string>
        <key>tokenEndpoint</key><string>https://id.test/oauth/token</string></dict>
    </dict></plist>
    """

  @Test(
    "sets what SAP's certificate discovery says, from JSON and from a property list",
    arguments: [document, propertyList])
  func imported(text: String) async throws {
    let program = try TestProgram([:])
    let profile = try program.store.profile(program.name)
    let run = try await program.run("profile", "import", "--yes", "-", input: text)
    #expect(run.status == .status(.success), "\(run)")
    let before = [
      "clientID", "scope", "endpoints.authorization", "endpoints.token", "issuer", "resourceURL",
    ].map { profile[$0] }
    let changed = try program.store.profile(program.name)
    let login = "\(program.name)-certificates"
    let expected = [
      "identity.obtain": "sap", "identity.token": "user", "identity.profile": login,
      "identity.attributesURL": "https://cert.test/api/getUserCertificateAttributes",
      "identity.requestURL": "https://cert.test/api/requestUserCertificates",
    ]
    for (key, value) in expected { #expect(changed[key]?.string == value, "\(key)") }
    // Another login's secrets are sent to the endpoints of this profile, so they stay.
    #expect(
      [
        "clientID", "scope", "endpoints.authorization", "endpoints.token", "issuer", "resourceURL",
      ].map { changed[$0] } == before)
    let other = try program.store.profile(try ProfileName(login))
    for (key, value) in [
      "clientID": "com.sap.app", "issuer": "https://id.test",
      "endpoints.authorization": "https://id.test/oauth/authorize",
      "endpoints.token": "https://id.test/oauth/token",
    ] { #expect(other[key]?.string == value, "\(key)") }
    #expect(other["discovery"]?.bool == false)
    for key in ["caFile", "pinPolicy", "insecureLoopback"] { #expect(other[key] == profile[key]) }
    // Once more changes nothing else.
    #expect(
      try await program.run("profile", "import", "--yes", "-", input: text).status
        == .status(.success))
    #expect(try program.store.profile(try ProfileName(login)) == other)
    let pins = try await program.run("pin", "show", "cert.test")
    #expect(pins.output.contains(Self.pin))
    #expect(run.errors.contains("leads back to app://"))
  }

  @Test(
    "refuses any other document, and changes nothing",
    arguments: [
      ("{}", "it has no setting and no key of a vendor"), ("{", "it is not JSON"),
      ("<plist", "could not read the configuration"),
      (#"{"com.sap.mobilesecure.certificateService.requestEndpoint": 1}"#, "is not a text"),
      (
        #"{"com.sap.mobilesecure.certificateService.requestEndpoint": "ftp://x"}"#,
        "requestEndpoint:"
      ),
      (
        #"{"com.sap.mobilesecure.certificateService.publicKeyPinSet": ["x"]}"#,
        "not a SHA-256 in base64"
      ),
      (
        #"{"com.sap.mobilesecure.certificateService.authType": {"type": "basic"}}"#,
        "is not 'oauth'"
      ),
      (
        #"{"com.sap.mobilesecure.certificateService.requestEndpoint": "https://x"}"#,
        "it has no authType"
      ),
    ])
  func refused(text: String, cause: String) async throws {
    let program = try TestProgram([:])
    let run = try await program.run("profile", "import", "--yes", "-", input: text)
    #expect(run.status == .status(.usage), "\(run)")
    #expect(run.errors.contains(cause), "\(run)")
    #expect(try program.store.profile(program.name)["identity.obtain"] == nil)
  }

  @Test("shows what it replaces, and pins that protect less need a consent of their own")
  func weaker() async throws {
    let program = try TestProgram(["pinPolicy": "report", "identity.token": "anonymous"])
    let pin = Pin(key: [1])
    let set = PinSet(
      try #require(PinPattern("*.sap.test")), policy: .enforce,
      keys: [PinnedKey(pin: pin, role: .leaf)])
    try PinStore(program.store.location, program.name).save(PinSets([set]))
    let words = ["profile", "import", "--yes", "-"]
    let document = Self.document.replacing("cert.test", with: "cert.sap.test")
    let run = try await program.run(words, input: document)
    #expect(run.status == .status(.usage))
    #expect(run.errors.contains("identity.token=user (before: anonymous)\n"), "\(run)")
    #expect(run.errors.contains("sdkctl: ! policy: report (before: enforce)\n"), "\(run)")
    #expect(try program.store.profile(program.name)["identity.obtain"] == nil)
    #expect(try program.pinSets() == [set])
    let agreed = try await program.run(
      words + ["--allow-weaker", "--allow", "identity.token"], input: document)
    #expect(agreed.status == .status(.success), "\(agreed)")
    #expect(try program.pinSets().count == 2)
  }

  @Test("changes the profile of SAP's login only with consent that names it")
  func login() async throws {
    let program = try TestProgram([:])
    let words = ["profile", "import", "--yes", "-"]
    #expect(try await program.run(words, input: Self.document).status == .status(.success))
    let name = "\(program.name)-certificates"
    let other = Self.document.replacing("https://id.test/oauth/token", with: "https://evil.test/t")
    let run = try await program.run(words + ["--allow-weaker"], input: other)
    #expect(run.status == .status(.usage))
    #expect(
      run.errors.contains(
        "! profile '\(name)': endpoints.token=https://evil.test/t (before: https://id.test/oauth/token)"
      ), "\(run)")
    let key = "endpoints.token"
    #expect(
      try program.store.profile(try ProfileName(name))[key] == "https://id.test/oauth/token")
    let agreed = try await program.run(words + ["--allow", "\(name).\(key)"], input: other)
    #expect(agreed.status == .status(.success), "\(agreed)")
    #expect(try program.store.profile(try ProfileName(name))[key] == "https://evil.test/t")
  }

  @Test("asks, and needs --yes without a terminal")
  func unattended() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("profile", "import", "-", input: Self.document)
    #expect(run.status != .status(.success))
    #expect(try program.store.profile(program.name)["identity.obtain"] == nil)
  }
}
