import TestSupport

@testable import Arguments
@testable import Commands

@Suite("What was removed")
struct ReplacementTests {
  @Test(
    "is an ordinary error, whose hint names what replaces it",
    arguments: [
      ("login --dpop", "use the setting dpop=on; "),
      ("login --response-mode form_post", "use the setting responseMode=MODE; "),
      ("login password a --password-stdin", "use `--password-file -`; "),
      ("profile users", "use `user list`; "), ("register user", "use `login`; "),
      ("deregister user", "use `user remove`; "), ("pin edit host", "use `pin set`; "),
      ("profile change-pin", "use `profile passcode` or `fido passcode`; "),
      ("fido login --pin-file f", "use `--passcode-file`; "),
      ("register fido alice", "use `fido register`; "), ("login fido", "use `fido login`; "),
      ("deregister fido --yes", "use `fido deregister`; "),
      ("register fido-metadata", "use `fido metadata`; "),
      ("profile passcode --fido", "use `fido passcode`; "),
      ("profile passcode --new-pin-file f", "use `--new-passcode-file`; "),
      ("profile store key create", "use `profile store key export --new`; "),
      ("profile lint", "use `profile import FILE --dry-run`, or `doctor` for stored profiles; "),
      ("doctor --bundle f", "use `doctor --json`; "),
      ("token sign --secret-base64", "use `--secret-file <(base64 -d FILE)`; "),
      ("pin add --starttls smtp host", "openssl fetches the certificates: "),
      ("register --force", "use `--replace`; "), ("token check", "use `token test`; "),
      ("identity import --force f", "use `--allow-unusable`; "),
      ("identity check --expires-in 30d", "use `--within`; "),
      ("pin check --days 30", "use `--within NUMBERd`; "),
      ("pin import --force f", "use `--replace`; "),
      ("login assertion --subject a", "use `--sub`; "),
      ("identity delete a", "use `identity remove`; "),
      ("profile export work", "a profile is named with -p: `sdkctl -p work profile export`; "),
      ("status work", "a profile is named with -p: `sdkctl -p work status`; "),
      ("pin backup h --yes", "leave it out: this command does not need it; "),
      ("--yes pin remove h", "give it after the command; "),
      ("pin -y remove h", "give it after the command; "),
    ])
  func hints(line: String, hint: String) throws {
    let words = line.split(separator: " ").map(String.init)
    guard case .usage(let error) = commandTable.read(words).outcome else {
      throw Unmet("it is no usage error")
    }
    #expect(error.message.hasPrefix("unknown ") || error.message.hasPrefix("unexpected "))
    #expect(error.hint.hasPrefix(hint), "\(error.hint)")
  }

  @Test(
    "of other programs is answered by what it means here",
    arguments: [
      ("whoami", "use `status`"), ("decode", "did you mean 'token decode'?"),
      ("hash", "did you mean 'pin hash'?"), ("curl", "use `fetch`"),
      ("userinfo", "did you mean 'token userinfo'?"),
      ("profile create", "use `profile add`"), ("profile delete x", "use `profile remove`"),
      ("profile get", "use `profile show`"), ("pin delete", "use `pin remove`"),
      ("pin inspect h", "use `pin show`"), ("token inspect", "use `token decode`"),
      ("identity create", "use `identity csr`"), ("user switch bob", "use `user use`"),
      ("config edit", "use `config set`"), ("token verify --audience a", "did you mean '--aud'?"),
      ("token test --issuer a", "did you mean '--iss'?"),
      ("--verison", "did you mean '--version'?"),
    ])
  func meaning(line: String, hint: String) async throws {
    let run = try await TestProgram().run(line.split(separator: " ").map(String.init))
    #expect(run.status == .status(.usage))
    #expect(run.errors.contains("sdkctl: hint: \(hint)"), "\(run)")
  }

  @Test("is meant by names of commands that exist")
  func existing() throws {
    let catalog = commandTable.catalog
    for word in ["whoami", "ls", "alias", "cert", "signup", "inspect"] {
      let advice = try #require(catalog.advice([word]))
      let words = advice.split(separator: "`")[1].split(separator: " ").map(String.init)
      let found = catalog.help(Array(words.prefix(2)), .short) ?? catalog.help([words[0]], .short)
      #expect(found != nil, "\(advice)")
    }
  }

  @Test("is answered of a first word too")
  func first() {
    let error = commandTable.catalog.unknownCommand("dispatch-target", alsoKnown: [])
    #expect(error.hint.hasPrefix("use `fido target list`, `add` or `remove`; "), "\(error.hint)")
  }
}
