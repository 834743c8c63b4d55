import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

@Suite("Documents of a shared store")
struct EncryptedDocumentTests {
  private let folder: TemporaryFolder
  private let key: StoreKey
  private var keys: StoreKeys

  init() throws {
    folder = try TemporaryFolder()
    key = try StoreKey.make()
    keys = try StoreKeys(of: ProfileName("work"), at: StoreLocation(home: folder.path))
    keys.add(key)
  }

  @Test("come back as they were, or as removed")
  func sealed() throws {
    let value = try EncryptedDocument.seal(["a": "secret"], as: "p/x", counter: 3, with: key)
    #expect(!String(decoding: value, as: UTF8.self).contains("secret"))
    let opened = try EncryptedDocument(opening: value, as: "p/x", with: keys, known: 3)
    #expect(opened.counter == 3 && opened.key == key.id && opened.members?["a"] == "secret")
    let none = try EncryptedDocument.seal(nil, as: "p/x", counter: 4, with: key)
    #expect(try EncryptedDocument(opening: none, as: "p/x", with: keys).members == nil)
  }

  @Test("are refused under another name, changed, older, or without their key")
  func refused() throws {
    let value = try EncryptedDocument.seal(["a": "b"], as: "p/x", counter: 3, with: key)
    func cause(_ value: [UInt8], _ name: String, _ keys: StoreKeys, _ known: Int64 = 0) -> String {
      do {
        _ = try EncryptedDocument(opening: value, as: name, with: keys, known: known)
        return "none"
      } catch {
        return error.code == .untrusted && error.message.contains("'\(name)'")
          ? error.message : "\(error.code)"
      }
    }
    #expect(cause(value, "p/y", keys).hasSuffix("it was changed, or written under another name"))
    #expect(
      cause(value, "p/x", keys, 4).hasSuffix("it is older (3) than what this machine has seen (4)"))
    var document = try #require(try JSON(parsing: value).object)
    document["counter"] = 4
    #expect(cause(JSON.object(document).serializedBytes(), "p/x", keys).contains("it was changed"))
    for (member, wrong) in [
      ("version", 2), ("counter", 0), ("counter", -1), ("iv", "AAAA"), ("data", "AAAA"), ("key", 1),
    ] as [(String, JSON)] {
      document = try #require(try JSON(parsing: value).object)
      document[member] = wrong
      let text = JSON.object(document).serializedBytes()
      #expect(
        cause(text, "p/x", keys).hasSuffix("the value is not an encrypted document"), "\(member)")
    }
    var others = try StoreKeys(of: ProfileName("work"), at: StoreLocation(home: folder.path))
    others.add(try StoreKey.make())
    #expect(cause(value, "p/x", others).hasSuffix("which this machine does not have"))
    var dice = Dice(state: 1)
    for _ in 0..<500 {
      let changed = dice.mutated(value)
      #expect(changed == value || cause(changed, "p/x", keys) != "none")
    }
  }

  @Test("are refused if the store would not take them")
  func large() throws {
    let text = JSON.string(String(repeating: "x", count: 1 << 20))
    let error = #expect(throws: SDKError.self) {
      _ = try EncryptedDocument.seal(["a": text], as: "p/x", counter: 1, with: key)
    }
    #expect(
      error?.code == .store && error?.message.contains("the shared store takes 1048576") == true)
  }

  @Test("need a key, and a key file that is one")
  func keyFiles() throws {
    let none = try StoreKeys(of: ProfileName("none"), at: StoreLocation(home: folder.path))
    #expect(throws: SDKError.self) { _ = try none.newest() }
    #expect(StoreKey(text: key.text) == key)
    let other = try StoreKey.make()
    for text in [
      "", "{}", #"{"version":1,"key":"AAAA"}"#,
      key.text.split(separator: "\n").joined().replacing(key.id, with: other.id),
    ] { #expect(StoreKey(text: text) == nil, "\(text)") }
  }

  @Test("are refused under a key that was replaced, as soon as this machine knows that")
  func retired() throws {
    var both = keys
    let new = try StoreKey.make()
    both.add(new)
    let old = try EncryptedDocument.seal(["a": "b"], as: "x", counter: 9, with: key)
    func read() throws -> Int64 { try EncryptedDocument(opening: old, as: "x", with: both).counter }
    #expect(try read() == 9)
    both.newestSeen = key.id
    #expect(try read() == 9 && both.forNewValues().id == key.id)
    both.newestSeen = new.id
    #expect(throws: SDKError.self) { try read() }
    #expect(try both.forNewValues().id == new.id)
    // The file of a former key does not make it the newest one again.
    both.add(key)
    #expect(try both.newest().id == new.id)
  }

  @Test("with a counter that no other can follow are refused")
  func endless() throws {
    for (counter, isRead) in [(Int64.max, false), (1 << 53 + 1, false), (1 << 53, true)] {
      let value = try EncryptedDocument.seal([:], as: "x", counter: counter, with: key)
      #expect(
        ((try? EncryptedDocument(opening: value, as: "x", with: keys)) != nil) == isRead,
        "\(counter)")
    }
  }

  @Test("have the times of a slot by the clock of the store")
  func times() {
    let slot: JSONObject = [
      "expires": 100, "obtained": 1, "cookies": [["expires": 50, "name": "a"], ["name": "b"]],
    ]
    let moved = SlotDocument.moved(slot, of: "credentials/user", by: 3600)
    #expect(
      moved == [
        "expires": 3700, "obtained": 3601,
        "cookies": [["expires": 3650, "name": "a"], ["name": "b"]],
      ])
    #expect(SlotDocument.moved(moved, of: "users/a/credentials/user", by: -3600) == slot)
    #expect(SlotDocument.moved(slot, of: "registration", by: 3600) == slot)
    #expect(SlotDocument.moved(["accessToken": "a"], of: "credentials/user", by: 1).count == 1)
  }
}
