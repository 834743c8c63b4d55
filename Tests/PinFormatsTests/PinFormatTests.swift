import Pinning
import TestSupport

@testable import PinFormats

@Suite("Formats of pins")
struct PinFormatTests {
  static let digest = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="

  /// The patterns of a document and what it loses, or why it cannot be read.
  static func read(_ format: PinFormat, _ text: String) -> String {
    do throws(PinFormatError) {
      let read = try format.read(Array(text.utf8), for: PinPattern("api.test"))
      return (read.sets.map(\.pattern.description) + read.losses).joined(separator: ", ")
    } catch {
      return error.cause
    }
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
        try PinFormat.curl.read(bytes, for: host.flatMap { PinPattern($0) })
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
      #expect(throws: PinFormatError.self) { try format.export([]) }
    }
  }

  /// Each with each would take many minutes.
  @Test("are refused if a host has thousands of them", .timeLimit(.minutes(1)))
  func many() {
    let pins = (0..<40_000).map { number in
      let bytes = (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) }
      return "a.test sha256/\(Base64.encode(bytes))"
    }
    #expect(Self.read(.lines, pins.joined(separator: "\n")) == "a.test: it has more than 1000 pins")
  }

  @Test("of one host are not written for several, nor for a proxy")
  func exports() throws {
    let key = PinnedKey(pin: try #require(Pin(Self.digest)), role: .leaf)
    let sets = try ["a.test", "b.test"].map { PinSet(try #require(PinPattern($0)), keys: [key]) }
    let proxy = PinSet(try #require(PinPattern("p.test", isProxy: true)), keys: [key])
    for (format, sets, cause) in [
      (.curl, sets, "the format holds the pins of one host; name the host"),
      (.okhttp, [proxy], "there are no pins"),
    ] as [(PinFormat, [PinSet], String)] {
      let error = #expect(throws: PinFormatError.self) { try format.export(sets) }
      #expect(error?.cause == cause)
    }
    #expect(try PinFormat.curl.export([proxy, sets[0]]).losses.count == 1)
  }

  /// A set of a host and one of another pattern, with a key each.
  private static func sets(with pattern: String) throws -> ([PinSet], [Pin]) {
    let pins = try ["a", "b"].map { (letter: Unicode.Scalar) in
      try #require(Pin(Base64.encode(Array(repeating: UInt8(ascii: letter), count: 32))))
    }
    let sets = try zip(["api.test", pattern], pins).map { pattern, pin in
      PinSet(try #require(PinPattern(pattern)), keys: [PinnedKey(pin: pin, role: .leaf)])
    }
    return (sets, pins)
  }

  @Test(
    "without ports name each host once, with the keys of all its ports",
    arguments: [PinFormat.android, .apple, .trustkit])
  func ports(format: PinFormat) throws {
    let (sets, pins) = try Self.sets(with: "api.test:8443")
    let export = try format.export(sets)
    #expect(export.losses.contains { $0.contains("its keys join those of api.test") })
    let read = try format.read(Array(export.text.utf8)).sets
    #expect(read.map(\.pattern.description) == ["api.test"])
    #expect(Set(read.flatMap(\.keys).map(\.pin)) == Set(pins))
  }

  @Test(
    "that name a host once have one of its sets, and say so",
    arguments: [PinFormat.android, .apple, .trustkit], ["*.api.test", "**.api.test"])
  func repeatedHost(format: PinFormat, pattern: String) throws {
    let (sets, pins) = try Self.sets(with: pattern)
    let export = try format.export(sets)
    #expect(export.losses.contains { $0.contains("one entry for a host") })
    let read = try format.read(Array(export.text.utf8)).sets
    #expect(Set(read.map(\.host)) == ["api.test"])
    #expect(Set(read.flatMap(\.keys).map(\.pin)) == [pins[1]])
  }

  private static let set: PinSet? = PinPattern("api.test").flatMap { pattern in
    Pin(Base64.encode(Array(repeating: UInt8(ascii: "a"), count: 32))).map {
      PinSet(pattern, keys: [PinnedKey(pin: $0, role: .intermediate)])
    }
  }

  @Test("are found out from what they wrote", arguments: PinFormat.readable)
  func detected(format: PinFormat) throws {
    let text = try format.export([try #require(Self.set)]).text
    let found = PinFormat.detected(in: Array(text.utf8))
    #expect(found == format)
  }

  @Test(
    "are not found out from other documents", arguments: ["", "hello", "<html></html>", "sha256/x"])
  func notDetected(text: String) {
    #expect(PinFormat.detected(in: Array(text.utf8)) == nil)
  }

  @Test(
    "of lines are a host and its pins, with comments",
    arguments: [
      ("# ours\n\na.test PIN # one\n*.b.test:8443\tPIN,PIN\n", "a.test, *.b.test:8443"),
      ("a.test PIN\na.test PIN", "a.test"), ("a b", "line 1: 'b' is not a pin"),
      ("a.test PIN\nb.test", "line 2: there is no pin"),
      ("\n-_ PIN", "line 2: '-_' is not a host name"),
      ("# a.test", "it contains no pins"),
    ])
  func lines(text: String, result: String) {
    let text = text.split(separator: "PIN", omittingEmptySubsequences: false)
      .joined(separator: "sha256/\(Self.digest)")
    #expect(Self.read(.lines, text) == result)
  }

  @Test("of okhttp are written only", arguments: [PinFormat.okhttp, .okhttpJava])
  func written(format: PinFormat) throws {
    let text = try format.export([try #require(Self.set)]).text
    #expect(PinFormat.detected(in: Array(text.utf8)) == .okhttp)
    #expect(throws: PinFormatError.self) { try format.read(Array(text.utf8)) }
  }
}
