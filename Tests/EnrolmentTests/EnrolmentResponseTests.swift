import CoreTestSupport

@testable import Enrolment
@testable import SDKCore

@Suite("What an enrolment service sends")
struct EnrolmentResponseTests {
  private static func response(_ body: [UInt8]) throws -> HTTPResponse {
    var response = HTTPResponse(status: 200, url: try HTTPURL("https://ca.test/"))
    response.body = body
    return response
  }

  @Test("is base64, or DER as it is")
  func encoding() async throws {
    #expect(try EnrolmentClient.der(Self.response([0x30, 0x00, 0xFF])) == [0x30, 0x00, 0xFF])
    #expect(try EnrolmentClient.der(Self.response(Array("MA\r\nA=\n".utf8))) == [0x30, 0x00])
    for text in ["", "\r\n ", "M", "MA=A"] {
      await expect(.malformedResponse, "the response of ca.test is not base64") {
        _ = try EnrolmentClient.der(try Self.response(Array(text.utf8)))
      }
    }
  }

  @Test("has 256 certificates at the most")
  func count() async throws {
    let pem = try TestIdentity.make("a", hosts: ["a.test"]).chain.pem
    func certificates(_ count: Int) throws -> [Certificate] {
      let text = String(repeating: pem, count: count)
      return try EnrolmentClient.certificates(Self.response(Array(text.utf8)))
    }
    #expect(try certificates(256).count == 256)
    await expect(.malformedResponse) { _ = try certificates(257) }
  }

  @Test("may have an attribute without values, which means nothing")
  func attributes() throws {
    let identifier: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    let values: [UInt8] = [0x31, 0x07, 0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    func read(_ attribute: [UInt8]) throws -> ESTAttributes {
      let sequence = [0x30, UInt8(attribute.count)] + attribute
      return try ESTAttributes(der: [0x30, UInt8(sequence.count)] + sequence)
    }
    #expect(try read(identifier + values).keyKind == .ec(.p384))
    for attribute in [[], identifier, identifier + values + values, values] as [[UInt8]] {
      #expect(try read(attribute) == ESTAttributes())
    }
  }

  @Test("gets a key of the first kind that can be made, of several")
  func kinds() throws {
    let curve: [UInt8] =
      [0x30, 0x12, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
      + [0x31, 0x07, 0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    func rsa(_ size: UInt8) -> [UInt8] {
      [0x30, 0x11, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        + [0x31, 0x04, 0x02, 0x02, size, 0x00]
    }
    for (attributes, kind) in [
      (curve + rsa(8), KeyKind.ec(.p384)), (rsa(8) + curve, .rsa(bits: 2048)),
      (rsa(4) + curve, .ec(.p384)), (curve + rsa(4), .ec(.p384)),
    ] {
      let read = try ESTAttributes(der: [0x30, UInt8(attributes.count)] + attributes)
      #expect(read.keyKind == kind && read.unmetAttributes == nil)
    }
  }

  @Test("asks for fields that have a name")
  func fields() throws {
    let document = try JSON(
      parsing: #"{"inputFields":[{"fieldName":""},{"prompt":"x"},{"fieldName":"a"}]}"#)
    #expect(SecureLoginInput(document).fields.map(\.name) == ["a"])
  }

  @Test(
    "has a subject for the certificate",
    arguments: ["{}", #"{"subject":""}"#, #"{"subject":"a"}"#, "x"])
  func subject(text: String) async throws {
    let world = try World([
      "identity.obtain": "sap", "identity.attributesURL": "https://ca.test/a",
      "identity.requestURL": "https://ca.test/r",
    ])
    try await world.store("u1")
    world.transport.respond("https://ca.test/a", .json(text))
    let error = await expect(.malformedResponse) {
      try await world.session().identities.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(
      error?.message.hasSuffix("the certificate attributes of ca.test have no usable subject")
        == true)
    #expect(world.transport.sent.map(\.url) == ["https://ca.test/a"])
    #expect(world.transport.sent.first?.fields["Authorization"] == "Bearer u1")
  }

  @Test("may refuse the certificate that was shown, or miss one")
  func refusal() async throws {
    for (status, cause) in [
      (495, "the server refused the client certificate"),
      (496, "the server requires a client certificate"),
    ] {
      let world = try World(["identity.obtain": "est", "identity.url": "https://ca.test"])
      world.transport.respond("https://ca.test/.well-known/est/cacerts", .status(status))
      let error = await expect(.identity) {
        try await world.session().identities.obtain(try IdentityRequest(for: "api.test"))
      }
      #expect(error?.message.hasSuffix("ca.test: \(cause)") == true)
    }
  }

  @Test("is sent the token of the slot that the profile names, and not the password")
  func credential() async throws {
    let world = try World([
      "identity.obtain": "est", "identity.url": "https://ca.test", "identity.token": "user",
      "identity.user": "alice",
    ])
    try await world.store("u1")
    let context = try #require(
      try world.session().identities.enrolment() as? EnrolmentService
    ).context
    #expect(try await context.credential()["Authorization"] == "Bearer u1")
  }

  @Test("is sent the password of a file only if others cannot read it")
  func passwordFile() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("p\n", to: "file", mode: 0o644)
    let settings: JSONObject = [
      "identity.obtain": "est", "identity.url": "https://ca.test", "identity.user": "alice",
      "identity.passwordFile": .string(file),
    ]
    let world = try World(settings)
    let service = try #require(
      try world.session().identities.enrolment() as? EnrolmentService)
    await expect(.storePermissions) { try await service.context.password(of: "alice") }
    try folder.setMode(0o600, of: "file")
    #expect(try await service.context.password(of: "alice") == "p")
  }
}
