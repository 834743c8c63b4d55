import TestSupport
import UAF

@Suite("Requests of a server")
struct RequestTests {
  @Test("are read in the highest version that is supported")
  func versions() throws {
    for (minors, chosen) in [([0], 0), ([1], 1), ([0, 1], 1), ([1, 0], 1), ([1, 7, 0], 1)] {
      let elements = minors.map { minor in
        Self.registration.with(["header", "upv", "minor"], .int(Int64(minor)))
      }
      let request = try UAFRegistrationRequest(parsing: JSON.array(elements).serialized())
      #expect(request.header.version == ProtocolVersion(major: 1, minor: UInt16(chosen)))
    }
    for elements in [
      [Self.registration.with(["header", "upv", "minor"], 7)],
      [Self.registration.with(["header", "upv", "major"], 2)],
    ] {
      #expect(Self.failure(.array(elements))?.code == .unsupportedVersion)
    }
    // Elements of other versions are not read.
    let other = Self.registration.with(["header", "upv", "minor"], 7).with(["policy"], 5)
    #expect(Self.failure([other, Self.registration]) == nil)
    #expect(Self.failure([Self.registration, Self.registration])?.code == .protocolError)
    let many = Self.failure(.array(Array(repeating: 1, count: 1001)))
    #expect(many?.message.hasSuffix(" has 1001 elements") == true)
  }

  @Test("return their header as it was")
  func header() throws {
    let element = Self.registration.with(["header", "future"], ["kept": true])
    let request = try UAFRegistrationRequest(parsing: JSON.array([element]).serialized())
    #expect(request.header.appID == "https://fido.test/facets")
    let response = UAFResponse(
      header: request.header, finalChallenge: "abc", assertions: [[0xFB, 0xFF], []])
    #expect(
      try JSON(parsing: response.encoded) == [
        [
          "header": element["header"] ?? .null, "fcParams": "abc",
          "assertions": [
            ["assertionScheme": "UAFV1TLV", "assertion": "-_8"],
            ["assertionScheme": "UAFV1TLV", "assertion": ""],
          ],
        ]
      ])
  }

  @Test(
    "are refused if they are not arrays of objects", arguments: ["", "{}", "[]", "[1]", "[{}]"])
  func documents(text: String) {
    let error = #expect(throws: UAFError.self) { try UAFRegistrationRequest(parsing: text) }
    #expect(error?.code == .protocolError)
  }

  @Test("with changed bytes are read or refused with a code of the protocol")
  func fuzz() {
    var dice = Dice(state: 17)
    let bytes = JSON.array([Self.registration]).serializedBytes()
    var refused = 0
    for _ in 0..<3000 {
      do throws(UAFError) {
        _ = try UAFRegistrationRequest(parsing: dice.mutated([0x20] + dice.mutated(bytes)))
      } catch {
        #expect([.protocolError, .unsupportedVersion, .unknown].contains(error.code))
        refused += 1
      }
    }
    #expect(refused > 1000)
  }

  /// The codes are those that the conformance tests of the FIDO Alliance expect.
  @Test("are refused if a member is missing, or not what it must be", arguments: malformed)
  func members(change: Change) {
    let error = Self.failure([Self.registration.with(change.path, change.value)])
    #expect(error?.code == change.code, "\(change): \(error?.message ?? "accepted")")
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let path: [String]
    let value: JSON?
    var code: ClientErrorCode? = .protocolError
    var testDescription: String {
      "\(path.joined(separator: ".")) = \(value?.serialized() ?? "nothing")"
    }
  }

  private static let malformed: [Change] = {
    var changes: [Change] = []
    func refuse(_ path: String..., values: [JSON?], code: ClientErrorCode? = .protocolError) {
      changes += values.map { Change(path: path, value: $0, code: code) }
    }
    refuse("header", values: [nil, .null, 1, [], [:]])
    refuse("header", "upv", values: [nil, .null, "1.1", [:], ["major": 1], ["minor": 1]])
    refuse("header", "upv", "major", values: [.null, "1", -1, 65536])
    refuse("header", "op", values: [nil, .null, 1, "", "Auth", "Dereg", "reg"])
    refuse("header", "appID", values: [1, .string(long(513))])
    refuse("header", "serverData", values: [1, .string(long(1537))])
    // The specification counts characters.
    let text = String(repeating: "\u{E9}", count: 1536)
    refuse("header", "serverData", values: [.string(text)], code: nil)
    refuse("header", "exts", values: [1, "x", [:], [1]])
    let ext: JSON = ["id": "x", "data": "", "fail_if_unknown": false]
    refuse("header", "exts", values: [[ext], [], .null], code: nil)
    refuse("header", "exts", values: [[ext.with(["fail_if_unknown"], true)]], code: .unknown)
    for (name, value) in [
      ("id", 1), ("id", nil), ("id", ""), ("id", .string(long(33))), ("data", 1), ("data", nil),
      ("fail_if_unknown", nil), ("fail_if_unknown", "false"), ("fail_if_unknown", .null),
    ] as [(String, JSON?)] {
      refuse("header", "exts", values: [[ext.with([name], value)]])
    }
    refuse(
      "challenge",
      values: [
        nil, .null, 1, "", "AAECAwQFBg", "AAECAwQFBgc=", "AAECAwQFBg+/", .string(long(100)), "A",
      ])
    refuse("username", values: [nil, .null, 1, "", .string(long(129))])
    refuse("policy", values: [nil, .null, 1, []])
    refuse("policy", "accepted", values: [nil, .null, [], [:], [1], [[1]], [[]], [[:]]])
    refuse("policy", "disallowed", values: [[:], 1, [1], [[:]]])
    return changes
  }()

  private static func long(_ count: Int) -> String { String(repeating: "A", count: count) }

  static let registration: JSON = [
    "header": [
      "upv": ["major": 1, "minor": 1], "op": "Reg", "appID": "https://fido.test/facets",
      "serverData": "state",
    ],
    "challenge": "AAECAwQFBgc", "username": "alice",
    "policy": ["accepted": [[["aaid": ["FFFF#0001"]]]]],
  ]

  private static func failure(_ document: JSON) -> UAFError? {
    do throws(UAFError) {
      _ = try UAFRegistrationRequest(parsing: document.serialized())
      return nil
    } catch {
      return error
    }
  }
}

extension JSON {
  /// The document with another value, or none, at a path of member names.
  func with(_ path: [String], _ value: JSON?) -> JSON {
    guard let name = path.first else { return value ?? .null }
    var changed = self
    changed[name] =
      path.count == 1 ? value : (self[name] ?? [:]).with(Array(path.dropFirst()), value)
    return changed
  }
}
