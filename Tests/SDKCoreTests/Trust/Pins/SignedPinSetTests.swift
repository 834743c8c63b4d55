import CoreTestSupport

@testable import SDKCore

@Suite("Signed pin sets")
struct SignedPinSetTests {
  private static let payload: JSONObject = [
    "version": 1, "iat": .int(World.now.seconds), "exp": .int(World.now.seconds + 60),
    "hosts": hosts(1),
  ]

  private static func hosts(_ key: UInt8, _ host: String = "api.test") -> JSON {
    let pinned: JSON = [
      "pin": .string(Pin(key: [key]).description), "role": "leaf",
      "origin": .string(PinOrigin(.update, "elsewhere").description),
    ]
    return [host: ["keys": [pinned]]]
  }

  /// A set with changes of its payload and its header, and what accepts its signature.
  private static func signed(
    _ changes: JSONObject = [:], header: JSONObject = [:], embedsKey: Bool = true
  ) throws -> (bytes: [UInt8], signer: SigningKey) {
    let key = try SigningKey.generate(.es256)
    let typed: JSONObject = ["typ": .string(SignedPinSet.type)]
    let header = typed.merging(header) { $1 }
    let payload = JSON.object(payload.merging(changes) { $1 }).serialized()
    let text = try key.sign(header: header, payload: Array(payload.utf8), embedsKey: embedsKey)
    return (Array(text.utf8), key)
  }

  private static func signers(_ key: SigningKey) throws -> PinSigners {
    try #require(PinSigners(thumbprint: key.publicKey.thumbprint))
  }

  private static func set(
    _ changes: JSONObject = [:], header: JSONObject = [:]
  ) throws -> SignedPinSet {
    let (bytes, key) = try signed(changes, header: header)
    return try SignedPinSet(bytes, signedBy: signers(key), at: World.now)
  }

  @Test("are read with their times and their signer, also with white space around them")
  func read() throws {
    let (bytes, key) = try Self.signed()
    let set = try SignedPinSet(
      Array(" \n".utf8) + bytes + Array("\r\n".utf8), signedBy: Self.signers(key), at: World.now)
    #expect(set.sets.map(\.pattern.description) == ["api.test"])
    #expect((set.issued, set.expires) == (World.now, World.now + 60))
    #expect(set.signer == key.publicKey.thumbprint)
  }

  @Test(
    "are refused without their type, their times and their pins, and outside of their times",
    arguments: [
      (["hosts": [:]], [:], "it has no pins"),
      (["iat": .null], [:], "'iat' or 'exp' is missing or not a whole number"),
      (["exp": .null], [:], "'iat' or 'exp' is missing or not a whole number"),
      (["exp": "1800000060"], [:], "'iat' or 'exp' is missing or not a whole number"),
      (["exp": .int(World.now.seconds)], [:], "it expired on 2027-01-15T08:00:00Z"),
      (["nbf": .int(World.now.seconds + 301)], [:], "it is not valid before 2027-01-15T08:05:01Z"),
      (
        ["iat": .int(World.now.seconds + 301), "exp": .int(World.now.seconds + 900)], [:],
        "it was signed in the future, on 2027-01-15T08:05:01Z"
      ),
      ([:], ["typ": "JWT"], "the type in its header is not 'pins+jwt'"),
    ] as [(JSONObject, JSONObject, String)])
  func refused(changes: JSONObject, header: JSONObject, cause: String) async throws {
    await expect(.untrusted, "could not use the pin set: \(cause)") {
      _ = try Self.set(changes, header: header)
    }
  }

  @Test("are used to their last second, and from five minutes before they were signed")
  func limits() throws {
    #expect(try Self.set(["exp": .int(World.now.seconds + 1)]).sets.count == 1)
    let early = World.now.seconds + 300
    #expect(try Self.set(["iat": .int(early), "exp": .int(early + 60)]).sets.count == 1)
  }

  @Test("are refused with another signature, with another key, and without the key of a thumbprint")
  func signature() async throws {
    let (bytes, key) = try Self.signed()
    let other = try SigningKey.generate(.es256)
    await expect(
      .untrusted,
      "could not use the pin set: it is signed by another key, \(key.publicKey.thumbprint)"
    ) { _ = try SignedPinSet(bytes, signedBy: Self.signers(other), at: World.now) }
    let file = try PinSigners(keys: Array(other.publicKey.json.serialized().utf8))
    await expect(.untrusted) { try SignedPinSet(bytes, signedBy: file, at: World.now) }
    let (bare, signer) = try Self.signed(embedsKey: false)
    await expect(
      .untrusted,
      "could not use the pin set: it does not carry its key ('jwk'), so that the file of the key is "
        + "needed"
    ) { _ = try SignedPinSet(bare, signedBy: Self.signers(signer), at: World.now) }
    let own = try PinSigners(keys: Array(signer.publicKey.json.serialized().utf8))
    #expect(try SignedPinSet(bare, signedBy: own, at: World.now).sets.count == 1)
  }

  @Test("are not signed with a shared secret, whether it is given or in the header")
  func sharedSecret() async throws {
    let secret: JSON = ["kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"]
    await expect(.localData, "could not read the key: a shared secret cannot sign pins") {
      _ = try PinSigners(keys: Array(secret.serialized().utf8))
    }
    let key = try JWK(json: secret)
    let (bytes, _) = try Self.signed(header: ["jwk": secret], embedsKey: false)
    let signers = try #require(PinSigners(thumbprint: key.thumbprint))
    await expect(.untrusted, "could not use the pin set: the key in its header is malformed") {
      _ = try SignedPinSet(bytes, signedBy: signers, at: World.now)
    }
    for text in ["", "c2hvcnQ", String(repeating: "A", count: 44), "\(Pin(key: [1]))"] {
      #expect(PinSigners(thumbprint: text) == nil)
    }
  }

  @Test("are refused if a newer one of the signer was used, when they are applied too")
  func replay() async throws {
    let world = try World()
    let key = try SigningKey.generate(.es256)
    func signed(
      _ seconds: Int64, _ pin: UInt8, _ host: String = "api.test"
    ) throws -> SignedPinSet {
      let changes: JSONObject = [
        "iat": .int(World.now.seconds + seconds),
        "hosts": Self.hosts(pin, host),
      ]
      let payload = JSON.object(Self.payload.merging(changes) { $1 }).serialized()
      let text = try key.sign(
        header: ["typ": .string(SignedPinSet.type)], payload: Array(payload.utf8), embedsKey: true)
      return try SignedPinSet(Array(text.utf8), signedBy: Self.signers(key), at: World.now)
    }
    let pinning = try world.session().pinning
    let (older, newer, twin) = (try signed(1, 1, "b.test"), try signed(2, 2), try signed(2, 3))
    // Both were compared before one of them was applied.
    let late = try pinning.differences(to: older, replaces: true, source: "test")
    let changes = try pinning.differences(to: newer, replaces: true, source: "test")
    try await pinning.apply(changes, of: newer)
    let before = try PinStore(world.location, world.name).load()
    let newest = "2027-01-15T08:00:02Z"
    let message =
      "could not use the pin set: it was signed on 2027-01-15T08:00:01Z, and a newer one of "
      + "\(newest) was used before"
    await expect(.untrusted, message) { try await pinning.apply(late, of: older) }
    await expect(.untrusted, message) {
      _ = try pinning.differences(to: older, replaces: true, source: "test")
    }
    await expect(
      .untrusted,
      "could not use the pin set: it was signed on \(newest), and another one of that time was used "
        + "before"
    ) { _ = try pinning.differences(to: twin, replaces: true, source: "test") }
    #expect(try PinStore(world.location, world.name).load() == before)
    #expect(before.sets.flatMap(\.keys).map(\.pin) == [Pin(key: [2])])
    // The same set is used as often as it comes, and a newer one after it.
    try await pinning.apply([], of: newer)
    let last = try signed(3, 4)
    let fresh = try world.session().pinning
    try await fresh.apply(fresh.differences(to: last, replaces: true, source: "test"), of: last)
  }

  @Test("have the origin of the update, whatever their keys say")
  func origin() throws {
    let world = try World()
    let (bytes, key) = try Self.signed()
    let set = try SignedPinSet(bytes, signedBy: Self.signers(key), at: World.now)
    let changes = try world.session().pinning.differences(to: set, replaces: true, source: "test")
    #expect(changes.flatMap(\.new.keys).map(\.origin) == [PinOrigin(.update, "test")])
  }
}
