import Pinning
import SDKCore
import TestSupport

@testable import PinFormats

@Suite("Pins of okhttp")
struct OkHttpPinTests {
  private static func set(_ pattern: String, _ keys: UInt8...) throws -> PinSet {
    let keys = keys.map { PinnedKey(pin: Pin(key: [$0]), role: .leaf) }
    return PinSet(try #require(PinPattern(pattern)), keys: keys)
  }

  @Test("unite those of a wider pattern, which is a loss only if it has others")
  func unions() throws {
    func losses(_ sets: [PinSet]) -> [String] { OkHttpPins.export(sets, isJava: false).losses }
    let own = try Self.set("api.a.test", 1, 2)
    #expect(losses([own, try Self.set("*.b.test", 3)]) == [])
    #expect(losses([own, try Self.set("b.test", 3)]) == [])
    #expect(losses([own, try Self.set("*.a.test", 2, 1)]) == [])
    #expect(losses([own, try Self.set("*.a.test", 1)]) == [])
    #expect(
      losses([own, try Self.set("*.a.test", 1, 3)])
        == ["api.a.test: okhttp also accepts the pins of *.a.test there"])
  }

  @Test("of a proxy are not those of servers whose pattern has its name")
  func proxies() throws {
    let entry: JSON = ["keys": [["pin": .string(Pin(key: [1]).description), "role": "leaf"]]]
    let sets = try PinDocument.sets(
      in: ["hosts": ["*.a.test": entry], "proxies": ["b.a.test:3128": entry]])
    #expect(sets.map(\.pattern.isProxy) == [false, true])
    for (one, other) in [(sets[0], sets[1]), (sets[1], sets[0])] {
      #expect(!one.pattern.includes(other.pattern) && one.pattern.includes(one.pattern))
    }
  }
}
