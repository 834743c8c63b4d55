import CoreTestSupport
import Foundation
import SDKCore

@testable import Commands

@Suite("fetch --form")
struct FetchFormTests {
  private static func program() async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/up", .status(201, "ok"))
    return program
  }

  @Test("uploads files and fields in order, parameters first, and ignores the encoding")
  func form() async throws {
    let program = try await Self.program()
    let file = try program.folder.write("line\n", to: "a b.txt")
    let run = try await program.run(
      "fetch", "/up", "--param", "p=1", "--param", "n:={\"x\":2}", "--encoding", "form",
      "-F", "text=hällo", "-F", "f=@\(file)", "-F", "g=@\(file);type=x/y;filename=q\"\n",
      "-F", "t=<\(file)", "-F", "s=@-", "-F", "j={};type=application/json", input: "piped")
    expect(run, .success, output: "ok")
    let sent = try #require(program.transport.sent.last)
    #expect(sent.method == "POST")
    let type = try #require(sent.fields["Content-Type"])
    let boundary = String(try #require(type.split(separator: "=").last))
    #expect(type == "multipart/form-data; boundary=\(boundary)")
    func part(_ head: String, _ content: String) -> String {
      "--\(boundary)\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n"
    }
    #expect(
      sent.body
        == part(#"name="p""#, "1") + part(#"name="n""#, #"{"x":2}"#)
        + part(#"name="text""#, "hällo")
        + part("name=\"f\"; filename=\"a b.txt\"\r\nContent-Type: text/plain", "line\n")
        + part("name=\"g\"; filename=\"q%22%0A\"\r\nContent-Type: x/y", "line\n")
        + part(#"name="t""#, "line\n")
        + part("name=\"s\"; filename=\"-\"\r\nContent-Type: application/octet-stream", "piped")
        + part("name=\"j\"\r\nContent-Type: application/json", "{}") + "--\(boundary)--\r\n")
  }

  @Test(
    "is a POST and the only body",
    arguments: [
      (["PUT", "/up", "-F", "a=b"], ExitCode.usage), (["/up", "-F", "a=b", "-d", "x"], .usage),
      (["/up", "-F", "a=@/nowhere/x"], .failure), (["/up", "-F", "a=@/"], .failure),
      (["/up", "-d", "@/"], .failure), (["/up", "-F", "a=@f;type=a\nb"], .usage),
      (["/up", "-F", "a=@f;type=bad"], .usage), (["/up", "-F", "a=@f;type=a/b,c"], .usage),
      (["/up", "-F", "a=@f;type=/b"], .usage), (["/up", "-F", "a=@f;type=a/b/c"], .usage),
      (["/up", "-F", "a=b", "-H", "Content-Type: application/json"], .usage),
      (["/up", "-F", "a=b", "-H", "Content-Type: multipart/form-data; boundary=x"], .usage),
    ])
  func refused(words: [String], exit: ExitCode) async throws {
    let program = try await Self.program()
    let run = try await program.run(["fetch"] + words)
    #expect(run.status == .status(exit))
    #expect(program.transport.sent.isEmpty)
  }

  @Test("keeps the parameters of a type that was given, and adds the boundary")
  func type() async throws {
    let program = try await Self.program()
    let words = ["fetch", "/up", "-F", "a=b;type=bad", "-H"]
    let run = try await program.run(words + ["Content-Type: multipart/form-data; charset=utf-8"])
    expect(run, .success, output: "ok")
    let sent = try #require(program.transport.sent.last)
    let type = try #require(sent.fields["Content-Type"])
    #expect(type.hasPrefix("multipart/form-data; charset=utf-8; boundary=----"))
    #expect(sent.fields.values(of: "Content-Type").count == 1)
    #expect(sent.body.contains("\r\n\r\nb;type=bad\r\n"))
  }

  @Test(
    "a body that is a JSON object or array says so, unless its file or a header field says something else",
    arguments: [
      (["-d", #"{"a":1}"#], "application/json"), (["-d", " [1]\n"], "application/json"),
      (["-d", "@data"], "application/json"), (["-d", "@data.txt"], "text/plain"),
      (["-d", "{"], "application/octet-stream"), (["-d", "1"], "application/octet-stream"),
      (["-d", #"{"a":1}"#, "-H", "Content-Type: a/b"], "a/b"),
      (["-d", "@pipe"], "application/octet-stream"), (["-d", "-"], "application/json"),
    ])
  func bodyType(words: [String], type: String) async throws {
    let program = try await Self.program()
    try program.folder.write(#"{"a":1}"#, to: "data")
    try program.folder.write(#"{"a":1}"#, to: "data.txt")
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(#"{"a":1}"#.utf8))
    try pipe.fileHandleForWriting.close()
    let words = words.map { word in
      if word == "@pipe" { return "@/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)" }
      return word.hasPrefix("@") ? "@" + program.folder.file(String(word.dropFirst())) : word
    }
    let run = try await program.run(["fetch", "/up"] + words, input: #"{"a":1}"#)
    #expect(run.status == .status(.success), "\(run)")
    #expect(program.transport.sent.last?.fields["Content-Type"] == type)
    #expect(
      program.transport.sent.last?.body.contains("{") == (words[1] != "1" && words[1] != " [1]\n"))
    withExtendedLifetime(pipe) {}
  }
}
