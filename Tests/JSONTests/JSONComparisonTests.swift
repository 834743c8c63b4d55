import Foundation
import TestSupport

/// Foundation's parser is another implementation of RFC 8259, which we did not write.
@Suite("The parser, compared with Foundation's")
struct JSONComparisonTests {
  private static let seeds = [
    #"{"a":[1,-2.5e3,"x\u00e9\n"],"b":{"c":null,"d":true}}"#,
    #"{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}]}"#,
    #"{"error":"invalid_grant","error_description":"\"\\\/\b\f\n\r\t\ud834\udd1e","n":0.1E-7}"#,
    #"[[],{},"",0,false,[[[{"":[]}]]], "\u0000" ]"#,
  ]

  @Test("accepts nothing that Foundation refuses, reads the same values, and writes them back")
  func mutated() throws {
    var random = Dice(state: 11)
    var accepted = 0
    for round in 0..<12_000 {
      var bytes = Array(Self.seeds[round % Self.seeds.count].utf8)
      for _ in 0..<Int.random(in: 1...2, using: &random) where !bytes.isEmpty {
        bytes = random.mutated(bytes)
      }
      guard let value = try? JSON(parsing: bytes) else { continue }
      accepted += 1
      let other = try #require(Self.read(bytes), "\(String(decoding: bytes, as: UTF8.self))")
      #expect(Self.isSame(value, other), "\(String(decoding: bytes, as: UTF8.self))")
      #expect(try JSON(parsing: value.serialized()) == value)
      #expect(try JSON(parsing: value.serialized(.pretty)) == value)
    }
    #expect(accepted > 1000)
  }

  @Test(
    "refuses a document that Foundation accepts only because of a repeated name")
  func refused() {
    var random = Dice(state: 12)
    for round in 0..<12_000 {
      let bytes = random.mutated(Array(Self.seeds[round % Self.seeds.count].utf8))
      let error: JSONError
      do throws(JSONError) {
        _ = try JSON(parsing: bytes)
        continue
      } catch let caught {
        error = caught
      }
      guard Self.read(bytes) != nil else { continue }
      #expect(
        error.message == "repeated member name",
        "\(String(decoding: bytes, as: UTF8.self)) \(error)")
    }
  }

  @Test("writes what Foundation reads as the same value")
  func written() throws {
    var text = ""
    for value in 0...0x2FFF as ClosedRange<UInt32> {
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    let document: JSON = [
      "text": .string(text + "😀\u{10FFFF}\u{E0041}"), text: 1, "n": [0, -1, 1, true, false, .null],
    ]
    for layout in [JSON.Layout.compact, .pretty] {
      let other = try #require(Self.read(document.serializedBytes(layout)))
      #expect(Self.isSame(document, other))
    }
  }

  private static func read(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
  }

  private static func isSame(_ value: JSON, _ other: Any) -> Bool {
    switch value {
    case .null: return other is NSNull
    case .bool(let value): return (other as? NSNumber)?.boolValue == value
    case .number(let value):
      guard let double = value.double else { return true }
      return (other as? NSNumber)?.doubleValue == double
    case .string(let value): return (other as? String).map { Array($0.utf8) } == Array(value.utf8)
    case .array(let elements):
      guard let others = other as? [Any], others.count == elements.count else { return false }
      return zip(elements, others).allSatisfy { isSame($0, $1) }
    case .object(let members):
      guard let others = other as? [String: Any], others.count == members.count else {
        return false
      }
      return members.allSatisfy { member in
        others[member.key].map { isSame(member.value, $0) } ?? false
      }
    }
  }
}
