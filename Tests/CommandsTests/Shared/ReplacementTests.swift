import Testing

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
    ])
  func hints(line: String, hint: String) throws {
    let words = line.split(separator: " ").map(String.init)
    guard case .usage(let error) = commandTable.read(words).outcome else {
      Issue.record("it is no usage error")
      return
    }
    #expect(error.message.hasPrefix("unknown ") || error.message.hasPrefix("unexpected "))
    #expect(error.hint.hasPrefix(hint), "\(error.hint)")
  }

  @Test("is answered of a first word too")
  func first() {
    let error = commandTable.catalog.unknownCommand("dispatch-target", alsoKnown: [])
    #expect(error.hint.hasPrefix("use `fido target list`, `add` or `remove`; "), "\(error.hint)")
  }
}
