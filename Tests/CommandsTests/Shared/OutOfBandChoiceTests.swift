import JSON
import Primitives
import TestSupport
import Testing

@testable import Commands

@Suite("Operations with --out-of-band")
struct OutOfBandChoiceTests {
  private static func text(_ operation: String) -> String {
    let document: JSON = [
      "version": "v1", "contentType": "application/json",
      "redeemData": [
        "token": "secret-token",
        "redeemUrl": .string("\(FakeFIDOServer.origin)/token/redeem/\(operation)"),
      ],
    ]
    return Base64.encode(document.serializedBytes(), alphabet: .url)
  }

  @Test("read the payload from a stream, a file and the terminal")
  func operations() async throws {
    let (program, server) = try await RegisterFIDOTests.program()
    _ = try await program.run("logout", "--local")
    server.rules.tokens = ["secret-token": "bob"]
    let pin = try program.folder.write("271828\n", to: "pin", mode: 0o600)
    let registered = try await program.run(
      "register", "fido", "--out-of-band-file", "-", "--pin-file", pin,
      input: Self.text("registration") + "\n")
    #expect(
      registered.errors == "sdkctl: registered the FIDO key of bob (FFFF#0001) for 'work'\n")

    server.rules.tokens = ["secret-token": "bob"]
    let link = "app://x?dispatchTokenResponse=\(Self.text("authentication"))"
    let file = try program.folder.write(link, to: "link", mode: 0o600)
    let login = try await program.run(
      "login", "fido", "bob", "--out-of-band-file", file, "--pin-file", "-", input: "271828")
    #expect(login.errors == "sdkctl: logged the user in to 'work' (cookies: sid)\n")

    server.rules.tokens = ["secret-token": "bob"]
    program.terminal.type(Self.text("deregistration"))
    let deleted = try await program.run("deregister", "fido", "--out-of-band", "--yes")
    #expect(deleted.errors == "sdkctl: deleted the FIDO key of bob (FFFF#0001) of 'work'\n")
    #expect(program.terminal.prompts == ["Out-of-band payload: "])
  }

  @Test("refuse what is not a payload, and never show it")
  func wrong() async throws {
    let (program, server) = try await RegisterFIDOTests.program()
    let run = try await program.run(
      "register", "fido", "--out-of-band-file", "-", input: "secret!\n")
    expect(
      run, .usage,
      errors: "sdkctl: error: could not read the out-of-band payload: the out-of-band payload is "
        + "not JSON, a link, or base64url\n")
    let file = try program.folder.write(Self.text("registration"), to: "open", mode: 0o644)
    let exposed = try await program.run("login", "fido", "--out-of-band-file", file)
    #expect(exposed.status == .status(.configuration), "\(exposed)")
    #expect(!exposed.errors.contains("secret"))
    #expect(server.requests.isEmpty)
  }

  @Test("know the user, and need no slot")
  func usage() async throws {
    let (program, _) = try await RegisterFIDOTests.program()
    for words in [
      ["register", "fido", "bob", "--out-of-band"],
      ["register", "fido", "--out-of-band", "--anonymous"],
      ["register", "fido", "--out-of-band-file", "-", "--pin-file", "-"],
      ["login", "fido", "--out-of-band", "--out-of-band-file", "-"],
      ["deregister", "fido", "--out-of-band", "--local"],
      ["deregister", "fido", "bob", "--out-of-band"],
    ] {
      let run = try await program.run(words)
      #expect(run.status == .status(.usage), "\(words): \(run)")
    }
  }
}
