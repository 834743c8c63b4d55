import CoreTestSupport

@testable import Commands

@Suite("Remedies")
struct RemedyTests {
  /// A remedy and what follows `sdkctl -p work`.
  struct Row: Sendable, CustomTestStringConvertible {
    let remedy: Remedy
    let words: String
    var testDescription: String { words }
  }

  private static var boundLogin: Remedy.Login {
    var login = Remedy.Login(
      scope: "a", authenticationContexts: "$(id)`id`;'x", maximumAge: 5, bindsTokens: true)
    login.resources = ["https://r.test", "https://s.test/x"]
    return login
  }

  static let rows = [
    Row(remedy: .login, words: "login"),
    Row(
      remedy: .login(.init(.implicit, scope: "a b")), words: "login --implicit --scope 'a b'"),
    Row(remedy: .login(.init(.anonymous)), words: "login --anonymous"),
    Row(
      remedy: .login(boundLogin),
      words: #"login --acr '$(id)`id`;'\''x' --max-age 5 --scope a "#
        + "--resource https://r.test --resource https://s.test/x"),
    Row(remedy: .login(.init(isForced: true)), words: "login --prompt login"),
    Row(remedy: .eraseTokens(.user), words: "logout --local"),
    Row(remedy: .eraseTokens(.implicit), words: "logout --local --implicit"),
    Row(remedy: .eraseTokens(.anonymous), words: "logout --local --anonymous"),
    Row(remedy: .register, words: "register"),
    Row(remedy: .registerAnew, words: "register --replace"),
    Row(remedy: .register(.init(client: .existing(nil))), words: "register --client-id ID"),
    Row(
      remedy: .register(.init(.replacing, client: .existing(nil), needsSecret: true)),
      words: "register --replace --client-id ID --client-secret-file -"),
    Row(
      remedy: .register(.init(.updating, authenticationMethod: "self_signed_tls_client_auth")),
      words: "register update --auth-method self_signed_tls_client_auth"),
    Row(
      remedy: .register(
        Remedy.Registering(
          .replacing, client: .existing("my app"), authenticationMethod: "tls_client_auth",
          needsCertificate: true)),
      words: "register --replace --client-id 'my app' --auth-method tls_client_auth "
        + "--client-certificate FILE --client-key-file FILE"),
    Row(
      remedy: .register(.init(.replacing, redirectURI: .ownScheme)),
      words: "register --replace --redirect-uri sdkctl.work:/callback"),
    Row(
      remedy: .setProfile(key: "allowedHosts", value: "a.test,[::1]"),
      words: "profile set allowedHosts='a.test,[::1]'"),
    Row(
      remedy: .setProfile(key: "endpoints.account", value: nil),
      words: "profile set endpoints.account=https://HOST/PATH"),
    Row(
      remedy: .setProfile(key: "anonymousScope", value: nil),
      words: "profile set anonymousScope=SCOPE"),
    Row(remedy: .pinHost("[::1]:8443"), words: "pin add '[::1]:8443'"),
    Row(remedy: .checkPins(host: "api.test"), words: "pin check api.test"),
  ]

  @Test("are commands that a shell reads as intended", arguments: rows)
  func commands(row: Row) throws {
    let line = row.remedy.commandLine(for: try ProfileName("work"))
    #expect(line == "sdkctl -p work \(row.words)")
    // What stands for a port or a file is no value of an option.
    #expect(isCommandLine(line))
    guard !row.words.contains("sdkctl.work:") else { return }
    #expect(row.remedy.commandLine(for: nil) == "sdkctl \(row.words)")
  }

  @Test(
    "name a scheme of the profile's own, as far as a scheme can hold the name",
    arguments: [
      ("work", "work"), ("My_App-1", "my-app-1"), ("a..b", "app"), ("a.", "app"),
    ])
  func scheme(name: String, label: String) throws {
    let remedy = Remedy.register(.init(.replacing, redirectURI: .ownScheme))
    #expect(
      remedy.commandLine(for: try ProfileName(name))
        == "sdkctl -p \(name) register --replace --redirect-uri sdkctl.\(label):/callback")
    #expect(isCommandLine(remedy.commandLine(for: nil)))
  }

  @Test("for files are the commands that protect them, with their names quoted")
  func protection() {
    let remedy = Remedy.protect([
      FileProtection(.owner(7), of: ["/a b"]),
      FileProtection(.mode(0o600), of: ["/it's mine"]),
      FileProtection(.withoutForeignWriting, of: ["/c", "/d"]),
    ])
    #expect(
      remedy.commandLine(for: nil)
        == #"chown 7 '/a b' && chmod 600 '/it'\''s mine' && chmod go-w /c /d"#)
  }

  @Test("for a person are sentences that contain the commands")
  func sentences() throws {
    let profile = try ProfileName("work")
    #expect(Remedy.chooseProfile.commandLine(for: profile) == "sdkctl profile list")
    #expect(
      Remedy.importIdentity(host: "h.test").commandLine(for: profile)
        == "sdkctl -p work identity import FILE --host h.test")
    #expect(
      Remedy.nameIdentity.commandLine(for: profile) == "choose one with --identity NAME")
    #expect(
      Remedy.compareClient.commandLine(for: profile)
        == "compare the client id and its secret with those at the provider")
    for (scope, isSigned, noun, choice) in [
      (nil, false, "a request without scope", "openid"),
      ("a b", false, "the scope 'a b'", "SCOPE"),
      ("a b", true, "the scope 'a b', a signed request (the setting jar)", "SCOPE"),
    ] as [(String?, Bool, String, String)] {
      let remedy = Remedy.allowRequest(
        redirectURI: "http://127.0.0.1:1/callback", scope: scope, isSigned: isSigned)
      #expect(
        remedy.commandLine(for: profile)
          == "if the browser showed an error, the server may not take \(noun), or the redirect URI "
          + "http://127.0.0.1:1/callback: allow that URI at the server, or ask for another scope "
          + "with `sdkctl -p work profile set scope=\(choice)`")
    }
    #expect(
      Remedy.freePort(6100).commandLine(for: profile)
        == "end what listens there (`ss -ltnp 'sport = :6100'` shows it), or use another port with "
        + "`sdkctl -p work login --callback-port 0` if the server lets it vary, else with "
        + "`sdkctl -p work register --replace --callback-port PORT`")
  }
}
