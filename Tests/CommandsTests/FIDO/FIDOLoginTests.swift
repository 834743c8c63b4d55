import CoreTestSupport

@testable import Commands

@Suite("fido login")
struct FIDOLoginTests {
  @Test("shows a transaction, and signs it only if it is confirmed", arguments: [true, false])
  func transaction(isConfirmed: Bool) async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    let text = Base64.encode(Array("pay \u{1B}[2J5 to bob".utf8), alphabet: .url)
    server.rules.transactions = [["contentType": "text/plain", "content": .string(text)]]
    program.terminal.type(isConfirmed ? "y" : "n")
    let run = try await program.run("fido", "login", "--passcode-file", "-", input: "271828")
    #expect(run.status == .status(isConfirmed ? .success : .declined), "\(run)")
    let shown = run.errors
    #expect(shown.contains("The server asks alice to confirm:\npay "), "\(shown)")
    #expect(!shown.contains("\u{1B}"))
    #expect(server.signed.count == (isConfirmed ? 1 : 0))
  }

  @Test("takes the end of the input for a refusal of the transaction")
  func unconfirmed() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    let text = Base64.encode(Array("pay".utf8), alphabet: .url)
    server.rules.transactions = [["contentType": "text/plain", "content": .string(text)]]
    program.terminal.fail(.endOfInput)
    let run = try await program.run("fido", "login", "--passcode-file", "-", input: "271828")
    #expect(run.status == .status(.declined), "\(run)")
    #expect(run.errors.contains("could not confirm the transaction: nothing was typed"))
    #expect(server.signed.isEmpty)
  }

  @Test("saves the image of a transaction, and names the file")
  func image() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    program.setVariable("TMPDIR", program.folder.path)
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]
    server.rules.transactions = [
      ["contentType": "image/png", "content": .string(Base64.encode(png, alphabet: .url))]
    ]
    program.terminal.type("y")
    let run = try await program.run("fido", "login", "--passcode-file", "-", input: "271828")
    #expect(run.status == .status(.success), "\(run)")
    let name = try #require(program.folder.names.first { $0.hasPrefix("sdkctl-transaction-") })
    #expect(run.errors.contains(program.folder.file(name)))
    #expect(try program.folder.bytes(of: name) == png)
  }

  @Test("is what fetch does after a 401, with the passcode of a person or none")
  func refused() async throws {
    let (program, server) = try await FIDORegisterTests.registered(["reauthenticate": "fido"])
    let claims = Base64.encode(Array(#"{"sub":"alice"}"#.utf8), alphabet: .url)
    server.rules.members["jwt"] = .string("eyJhbGciOiJIUzI1NiJ9.\(claims).c2ln")
    let url = "https://api.test/v1/x"
    program.transport.respond(url, .status(401), .status(200, "hi"))
    expect(
      try await program.run("fetch", "/x"), .authenticationRequired,
      errors: """
        sdkctl: error: could not ask for the passcode for a new login: there is no terminal
        sdkctl: hint: sdkctl -p work fido login

        """)
    program.transport.respond(url, .status(401), .status(200, "hi"))
    program.terminal.type("271828")
    let run = try await program.run("fetch", "/x")
    #expect(run.status == .status(.success) && run.output == "hi", "\(run)")
    #expect(server.signed.count == 1)
  }
}
