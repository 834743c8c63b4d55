import CoreTestSupport

@testable import Commands
@testable import SDKCore

/// Documents in the shapes that vendors and libraries have published.
@Suite("profile import of configurations")
struct AppConfigurationTests {
  private static let ong = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>ONGAppIdentifier</key><string>ExampleAppDebug</string>
      <key>ONGAppPlatform</key><string>ios</string>
      <key>ONGAppVersion</key><string>0.0.2</string>
      <key>ONGAppBaseURL</key><string>https://tokens.test</string>
      <key>ONGResourceBaseURL</key><string>https://gateway.test/resources/</string>
      <key>ONGRedirectURL</key><string>oneginiexample://loginsuccess</string>
      <key>ONGServerType</key><string>access</string>
    </dict></plist>
    """

  /// Documents with the settings that a new profile gets of them.
  static let rows: [(text: String, settings: [String: JSON])] = [
    (
      ong,
      [
        "issuer": "https://tokens.test", "resourceURL": "https://gateway.test/resources/",
        "redirectURI": "oneginiexample://loginsuccess",
      ]
    ),
    (
      """
      {"kOGAppBaseURL": "https://tokens.test/", "kOGResourceBaseURL": "https://a.test/r/",
       "kOGRedirectURL": "app://x", "kOGMaxPinFailures": 3,
       "additionalResourceUrls": ["https://b.test/x", "https://a.test/y", "https://b.test:8443/"]}
      """,
      [
        "issuer": "https://tokens.test/", "resourceURL": "https://a.test/r/",
        "redirectURI": "app://x", "allowedHosts": ["b.test", "b.test:8443"],
        "seal.passcodeAttempts": 3,
      ]
    ),
    (
      """
      {"CLIENT_ID": "my app", "REDIRECT_URI": "authapp://Default/Authcallback", "SCOPE": "demo"}
      """,
      [
        "issuer": "https://sequencing.com", "clientID": "my app", "scope": "demo",
        "redirectURI": "authapp://Default/Authcallback", "pkce": false,
      ]
    ),
    (
      """
      {"$schema": "https://x.test/profile.schema.json", "version": 1, "issuer": "https://id.test",
       "allowedHosts": ["a.test", "b.test"], "redirectPort": 61000, "identity": {"obtain": "est"}}
      """,
      [
        "issuer": "https://id.test", "allowedHosts": ["a.test", "b.test"], "redirectPort": 61000,
        "identity.obtain": "est",
      ]
    ),
    (
      """
      {"userIdentityConfigurationParameters": {
         "attributesEndpoint": "https://cert.test/a", "requestEndpoint": "https://cert.test/r",
         "retireEndpoint": "https://cert.test/x", "publicKeyPinSet": []},
       "oAuth2AuthenticationParameters": {"clientID": "c", "redirectURL": "app://",
         "authorizationEndpointURL": "https://id.test/a", "tokenEndpointURL": "https://id.test/t"},
       "applicationID": "com.example"}
      """,
      [
        "identity.attributesURL": "https://cert.test/a",
        "identity.requestURL": "https://cert.test/r", "identity.retireURL": "https://cert.test/x",
        "identity.profile": "new-certificates", "applicationID": "com.example",
      ]
    ),
  ]

  @Test(
    "makes a new profile, with the settings of the table and no others of a server", arguments: rows
  )
  func imported(row: (text: String, settings: [String: JSON])) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "profile", "import", "--new", "new", "--yes", "--json", "--allow", "allowedHosts", "-",
      input: row.text)
    #expect(run.status == .status(.success), "\(run)")
    let profile = try program.store.profile(try ProfileName("new"))
    for (key, value) in row.settings { #expect(profile[key] == value, "\(key)") }
    for key in ["issuer", "clientID", "resourceURL", "scope"] where row.settings[key] == nil {
      let isPreset = profile["issuer"] == "https://sequencing.com"
      #expect(profile[key] == nil || isPreset, "\(key)")
    }
    #expect(run.json?["created"] == true)
    #expect(run.json?["profile"] == "new")
  }

  @Test("of the library of Sequencing.com stores the secret with the registration only")
  func secret() async throws {
    let program = try TestProgram([:])
    let text = """
      {"cliendID": "my app", "clientSecret": "s3cret", "redirectUri": "authapp://Default/Authcallback",
       "scope": "demo"}
      """
    let run = try await program.run("profile", "import", "--new", "a", "--yes", "-", input: text)
    #expect(run.status == .status(.success), "\(run)")
    #expect(!run.errors.contains("s3cret") && !run.output.contains("s3cret"))
    let registration = try await RegistrationStore(
      ProfileSecrets(location: program.store.location, profile: try ProfileName("a"))
    ).load()
    #expect(registration?.client["client_secret"] == "s3cret")
    #expect(registration?.redirectURIs == ["authapp://Default/Authcallback"])
    let again = try await program.run("-p", "a", "profile", "import", "--yes", "-", input: text)
    #expect(
      again.errors.contains(
        "the client secret was not stored: 'a' is registered as my app\n"), "\(again)")
    let file = try program.folder.write(text, to: "open.json", mode: 0o644)
    let open = try await program.run("profile", "import", "--new", "b", "--yes", file)
    #expect(open.status == .status(.configuration))
    #expect(open.errors.contains("others may read it"))
  }

  @Test(
    "refuses what it cannot use, and changes nothing",
    arguments: [
      (#"{"issuer": "https://id.test", "pinPolcy": "enforce"}"#, "no setting 'pinPolcy'"),
      (#"{"version": 1, "pkce": "no"}"#, "expected true or false"),
      (#"{"scope": "a", "scope": "b"}"#, "repeated member name at line 1"),
      (
        #"{"client_id": "a", "redirect_uri": "javascript:alert(1)"}"#, "redirect_uri: could not use"
      ),
      (#"{"client_id": 1, "redirect_uri": "a.b:/"}"#, "client_id is not a text"),
      (#"{"token_server_uri": "https://a.test", "resource_gateway_uri": []}"#, "array of URLs"),
      (#"{"ONGAppBaseURL": "ftp://a"}"#, "the value for issuer: could not use the value"),
      (#"{"ONGAppBaseURL": "https://a.test", "certificates": ["AAAA"]}"#, "not a certificate"),
      (
        "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>"
          + "<plist><dict><key>ONGAppBaseURL</key><string>&c;</string></dict></plist>",
        "declares types or entities"
      ),
      (
        "<plist><dict><key>ONGAppBaseURL</key><string>https://a.test</string>"
          + "<key>ONGAppBaseURL</key><string>https://b.test</string></dict></plist>",
        "appears twice"
      ),
      ("PK\u{3}\u{4}nothing", "it is a ZIP archive; unpack it"),
      (String(repeating: "[", count: 100), "nested deeper"), ("[1]", "it is an array"),
    ])
  func refused(text: String, cause: String) async throws {
    let program = try TestProgram([:])
    let before = try program.members()
    for words in [["--new", "new"], []] {
      let run = try await program.run(
        ["profile", "import", "--yes", "-"] + words, input: text)
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.errors.contains(cause), "\(run)")
    }
    #expect(try program.members() == before)
    #expect(try program.store.names() == [program.name])
  }
}
