import Pinning
import Primitives
import Testing

@testable import SDKCore

@Suite("Formats of pins")
struct PinFormatTests {
  static let digest = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="
  private static let pin = "pin-sha256=\"\(digest)\""

  /// The patterns of a document and what it loses, or why it cannot be read.
  static func read(_ format: PinFormat, _ text: String) -> String {
    do throws(PinFormatError) {
      let read = try format.read(Array(text.utf8), for: PinPattern("api.test"), at: 0)
      return (read.sets.map(\.pattern.description) + read.losses).joined(separator: ", ")
    } catch {
      return error.cause
    }
  }

  @Test(
    "like the header field of RFC 7469 are refused if a rule of it is broken",
    arguments: [
      ("\(pin); max-age=1", "api.test"), ("public-key-pins: \(pin); max-age=1\n", "api.test"),
      ("\(pin); max-age=\"1\"; includeSubDomains", "**.api.test"),
      ("\(pin); max-age=1; x=\"a;b\"", "api.test, the directive 'x' is not used"),
      ("\(pin); max-age=1\n\(pin); max-age=1", "it is more than one header field"),
      ("Public-Key: \(pin); max-age=1", "'Public-Key' is not Public-Key-Pins"),
      ("\(pin); max-age=1; x=\"", "a quotation mark is missing"),
      (
        "pin-sha256=\(digest); max-age=1", "the value of pin-sha256 is not in quotation marks"
      ),
      (
        "\(pin)x; max-age=1", "the value of pin-sha256 is not in quotation marks"
      ),
      (
        "pin-sha256=x\"\(digest)\"; max-age=1",
        "the value of pin-sha256 is not in quotation marks"
      ),
      (pin, "max-age is missing"), ("max-age=1", "it contains no pins"),
      ("\(pin); max-age=1; max-age=1", "max-age is repeated or not a number"),
      ("\(pin); max-age=", "max-age is repeated or not a number"),
      ("\(pin); max-age=+1", "max-age is repeated or not a number"),
      ("\(pin); max-age=0", "max-age=0 removes all pins"),
      (
        "\(pin); max-age=1; includeSubDomains; includeSubDomains",
        "includeSubDomains is repeated or has a value"
      ),
      (
        "\(pin); max-age=1; includeSubDomains=1", "includeSubDomains is repeated or has a value"
      ),
      (
        "\(pin); max-age=1; report-uri=https://a.test",
        "report-uri is repeated or not in quotation marks"
      ),
      (
        "\(pin); max-age=1; report-uri=\"a:\"; report-uri=\"a:\"",
        "report-uri is repeated or not in quotation marks"
      ),
    ])
  func header(text: String, result: String) {
    #expect(Self.read(.hpkp, text) == result)
  }

  @Test("are refused if they are too large, not text, without a host, or for a public suffix")
  func common() throws {
    let line = "sha256//\(Self.digest)"
    for (bytes, host, cause) in [
      (Array(line.utf8), "a.test", nil), (Array("# x\n\n\(line)".utf8), "a.test", nil),
      (Array("pinnedpubkey = \"\(line)\"".utf8), "a.test", nil),
      (Array("--pinnedpubkey '\(line)'".utf8), "a.test", nil),
      (Array("x".utf8), "a.test", "'x' does not begin with sha256//; pin a file with `pin add`"),
      (Array("#".utf8), "a.test", "it contains no pins"),
      ([UInt8](repeating: 0x23, count: 4 << 20 + 1), "a.test", "it is larger than 4 MiB"),
      ([0xFF], "a.test", "it is not text in UTF-8"),
      (Array(line.utf8), nil, "the format does not name a host; name it"),
      (Array(line.utf8), "co.uk", nil),
      (Array(line.utf8), "**.co.uk", "'**.co.uk' includes the subdomains of a public suffix"),
    ] as [([UInt8], String?, String?)] {
      let result = Result { () throws(PinFormatError) in
        try PinFormat.curl.read(bytes, for: host.flatMap { PinPattern($0) }, at: 0)
      }
      switch result {
      case .success(let read): #expect(cause == nil && read.sets.count == 1)
      case .failure(let error): #expect(error.cause == cause)
      }
    }
    for (text, cause) in [
      ("[]", "it is not an object"), ("{}", "'version' is missing or not 1"),
      (#"{"version":2}"#, "'version' is missing or not 1"),
      (#"{"version":1}"#, "it contains no pins"),
    ] { #expect(Self.read(.json, text) == cause) }
    for format in PinFormat.allCases {
      #expect(throws: PinFormatError.self) { try format.export([], at: 0) }
    }
  }

  @Test("of one host are not written for several, nor for a proxy, nor after their end")
  func exports() throws {
    let key = PinnedKey(pin: try #require(Pin(Self.digest)), role: .leaf)
    let sets = try ["a.test", "b.test"].map { PinSet(try #require(PinPattern($0)), keys: [key]) }
    let proxy = PinSet(try #require(PinPattern("p.test", isProxy: true)), keys: [key])
    var ended = sets[0]
    ended.expires = 10
    for (format, sets, cause) in [
      (.curl, sets, "the format holds the pins of one host; name the host"),
      (.hpkp, sets, "the format holds the pins of one host; name the host"),
      (.okhttp, [proxy], "there are no pins"), (.hpkp, [ended], "the pins have expired"),
    ] as [(PinFormat, [PinSet], String)] {
      let error = #expect(throws: PinFormatError.self) { try format.export(sets, at: 10) }
      #expect(error?.cause == cause)
    }
    #expect(try PinFormat.curl.export([proxy, sets[0]], at: 10).losses.count == 1)
    ended.expires = 11
    #expect(try PinFormat.hpkp.export([ended], at: 10).text.hasSuffix("max-age=1\n"))
  }

  /// In the source A is the pin, and B the call that adds it for `b.test`.
  @Test(
    "like source text count the calls of a builder that are no comments, with literals only",
    arguments: [
      ("B", "a.test, b.test"), ("// B\n", "a.test"), ("/* B */", "a.test"),
      (".padd(\"b.test\", \"A\")", "a.test"), (".p_add(\"b.test\", \"A\")", "a.test"),
      (".p1add(\"b.test\", \"A\")", "a.test"), (".addAll(\"b.test\", \"A\")", "a.test"),
      (".build(); list B", "a.test"), (".build(); x = \"$y\"", "a.test"),
      (".build(); x = \"\\\" B", "a.test"), (".build(); x = \"\n B", "a.test"),
      (".build(); x = \"\"\" \" B \"\"\"", "a.test"), ("x = '\"' B", "a.test, b.test"),
      ("x = '\\\"' B", "a.test, b.test"), (".add /* ( */ (\"b.test\", \"A\")", "a.test, b.test"),
      (".add(\"b.test\")", "a call of add has fewer than two arguments"),
      (".add(\"b.test:1\", \"A\")", "'b.test:1' is not a pattern of okhttp"),
      (".add(\"b.test\", \"sha1/x\")", "'sha1/x' does not begin with sha256/"),
      (".add(host, \"A\")", "an argument of add is not a string literal"),
      (".add(\"b.test\"", "a ) is missing"), (".add(\"b.test", "a quotation mark is missing"),
      (".add(\"b.test\n\", \"A\")", "a quotation mark is missing"),
      (".add(\"b.test\\", "a quotation mark is missing"),
      (".add(\"\"\"b.test\"\"\", \"A\")", "a raw string literal cannot be read"),
      (".add(\"$b.test\", \"A\")", "a string literal contains an expression"),
    ])
  func source(text: String, result: String) {
    let pin = "sha256/\(Self.digest)"
    let call = ".add(\"b.test\", \"\(pin)\")"
    let more = text.split(separator: "B", omittingEmptySubsequences: false).joined(separator: call)
      .split(separator: "A\"", omittingEmptySubsequences: false).joined(separator: pin + "\"")
    let source = "CertificatePinner.Builder().add(\"a.test\", \"\(pin)\")\n" + more
    #expect(Self.read(.okhttp, source) == result)
  }

  @Test(
    "without ports name each host once, with the keys of all its ports",
    arguments: [PinFormat.android, .apple, .trustkit])
  func ports(format: PinFormat) throws {
    let keys = try ["a", "b"].map { letter in
      let digest = Array(repeating: UInt8(ascii: letter == "a" ? "a" : "b"), count: 32)
      return PinnedKey(pin: try #require(Pin(Base64.encode(digest))), role: .leaf)
    }
    let sets = [
      PinSet(try #require(PinPattern("api.test")), keys: [keys[0]]),
      PinSet(try #require(PinPattern("api.test:8443")), keys: [keys[1]]),
    ]
    let export = try format.export(sets, at: 0)
    #expect(export.losses.contains { $0.contains("its keys join those of api.test") })
    let read = try format.read(Array(export.text.utf8), at: 0).sets
    #expect(read.map(\.pattern.description) == ["api.test"])
    #expect(Set(read.flatMap(\.keys).map(\.pin)) == Set(keys.map(\.pin)))
  }

  @Test(
    "that name a host once have one of its sets, and say so",
    arguments: [PinFormat.android, .apple, .trustkit], ["*.api.test", "**.api.test"])
  func repeatedHost(format: PinFormat, pattern: String) throws {
    let keys = try ["a", "b"].map { letter in
      let digest = Array(repeating: UInt8(ascii: letter == "a" ? "a" : "b"), count: 32)
      return PinnedKey(pin: try #require(Pin(Base64.encode(digest))), role: .leaf)
    }
    let sets = [
      PinSet(try #require(PinPattern("api.test")), keys: [keys[0]]),
      PinSet(try #require(PinPattern(pattern)), keys: [keys[1]]),
    ]
    let export = try format.export(sets, at: 0)
    #expect(export.losses.contains { $0.contains("one entry for a host") })
    let read = try format.read(Array(export.text.utf8), at: 0).sets
    #expect(Set(read.map(\.host)) == ["api.test"])
    #expect(Set(read.flatMap(\.keys).map(\.pin)) == [keys[1].pin])
  }

  @Test("of DANE have no record for a pattern, which DNS would not find behind a port")
  func wildcard() throws {
    let set = try #require(Self.set)
    let direct = try #require(set.pattern.with(subdomains: .direct))
    let export = try PinFormat.tlsa.export([PinSet(direct, keys: set.keys)], at: 0)
    #expect(export.text.isEmpty)
    #expect(
      export.losses == ["*.api.test: a name with a port has no wildcard; no record is written"])
  }

  private static let set: PinSet? = PinPattern("api.test").flatMap { pattern in
    Pin(Base64.encode(Array(repeating: UInt8(ascii: "a"), count: 32))).map {
      PinSet(pattern, keys: [PinnedKey(pin: $0, role: .intermediate)])
    }
  }

  @Test("are found out from what they wrote", arguments: PinFormat.readable)
  func detected(format: PinFormat) throws {
    let text = try format.export([try #require(Self.set)], at: 0).text
    let found = PinFormat.detected(in: Array(text.utf8))
    // Both forms of okhttp are read by one reader.
    #expect(found == (format == .okhttpJava ? .okhttp : format))
  }

  @Test(
    "are not found out from other documents", arguments: ["", "hello", "<html></html>", "sha256/x"])
  func notDetected(text: String) {
    #expect(PinFormat.detected(in: Array(text.utf8)) == nil)
  }

  @Test(
    "that are written only, and what they do not express",
    arguments: [
      (
        .dart, "const pins = <String, List<String>>{\n  'api.test': [\n    'PIN',\n  ],\n};\n", nil
      ),
      (.envoy, "  verify_certificate_spki:\n    - \"BASE64\"\n", "only the key of the leaf"),
      (.chromium, "--ignore-certificate-errors-spki-list=BASE64\n", "refuses no other key"),
    ] as [(PinFormat, String, String?)])
  func written(format: PinFormat, text: String, loss: String?) throws {
    let set = try #require(Self.set)
    let pin = try #require(set.keys.first?.pin)
    let export = try format.export([set], at: 0)
    let expected = text.split(separator: "PIN", omittingEmptySubsequences: false)
      .joined(separator: pin.description)
      .split(separator: "BASE64", omittingEmptySubsequences: false).joined(separator: pin.base64)
    #expect(export.text.hasSuffix(expected), "\(export.text)")
    #expect(export.losses.contains { $0.contains(loss ?? "") } == (loss != nil))
    #expect(throws: PinFormatError.self) { try format.read(Array(export.text.utf8), at: 0) }
  }
}
