import Testing

@testable import OpenSSL

@Suite("A PKCS #11 URI (RFC 7512)")
struct PKCS11URITests {
  @Test("names a token and an object, with encoded values")
  func attributes() throws {
    // The examples of section 3, as far as they are about keys.
    let uri = try PKCS11URI(
      "pkcs11:token=The%20Software%20PKCS%2311%20Softtoken;manufacturer=Snake%20Oil,%20Inc.;"
        + "model=1.0;serial=;object=my-certificate;type=cert;id=%69%95%3E%5C%F4%BD%EC%91")
    #expect(uri.text(.token) == "The Software PKCS#11 Softtoken")
    #expect(uri.text(.manufacturer) == "Snake Oil, Inc.")
    #expect(uri.text(.object) == "my-certificate")
    #expect(uri.attributes[.id] == [0x69, 0x95, 0x3E, 0x5C, 0xF4, 0xBD, 0xEC, 0x91])
    #expect(uri.attributes[.serial] == [])
    #expect(uri.pinFile == nil)
    #expect(try PKCS11URI("pkcs11:").attributes.isEmpty)
    #expect(try PKCS11URI("PKCS11:token=a").text(.token) == "a")
  }

  @Test(
    "names the file of the PIN in every form of a path, and the module",
    arguments: [
      ("file:/etc/token_pin", "/etc/token_pin"), ("file:///etc/token_pin", "/etc/token_pin"),
      ("/etc/token_pin", "/etc/token_pin"), ("file:/a%20b", "/a b"),
    ])
  func pinSource(source: String, path: String) throws {
    let uri = try PKCS11URI("pkcs11:object=o?pin-source=\(source)&module-path=/lib/a.so")
    #expect(uri.pinFile == path)
    #expect(uri.module == "/lib/a.so")
    #expect(try PKCS11URI(uri.description) == uri)
    #expect(uri.withoutPIN.pinFile == nil)
  }

  @Test("is written with its attributes in a fixed order, and reads as itself")
  func description() throws {
    let uri = try PKCS11URI("pkcs11:id=%41%00;object=a%3Bb%25;token=A%20B")
    #expect(uri.description == "pkcs11:token=A%20B;object=a%3Bb%25;id=%41%00")
    #expect(try PKCS11URI(uri.description) == uri)
  }

  @Test("takes the names of the token that was found in place of its own")
  func naming() throws {
    let uri = try PKCS11URI("pkcs11:object=a;type=private?pin-source=/p")
    let full = uri.naming(
      token: [.token: Array("work".utf8), .serial: [], .model: Array("m".utf8)],
      label: Array("a".utf8), id: [1])
    #expect(full.description == "pkcs11:token=work;model=m;object=a;id=%01?pin-source=file:/p")
  }

  @Test(
    "is refused if it is not one, has an attribute twice or unknown, or contains a PIN",
    arguments: [
      ("file:/a", "does not begin"), ("pkcs11", "does not begin"),
      ("pkcs11:object=" + String(repeating: "a", count: 4083), "too long"),
      ("pkcs11:object=a%", "not encoded"), ("pkcs11:object", "no value"),
      ("pkcs11:object=a;object=b", "'object' twice"),
      ("pkcs11:colour=red", "'colour' is not supported"), ("pkcs11:object=%4", "not encoded"),
      ("pkcs11:object=%zz", "not encoded"), ("pkcs11:object=a b", "not encoded"),
      ("pkcs11:object=%00", "not text"), ("pkcs11:object=%FF", "not text"),
      ("pkcs11:slot-id=3", "'slot-id' is not supported"),
      ("pkcs11:type=data", "'type'"), ("pkcs11:object=a?pin-value=1234", "contains a PIN"),
      ("pkcs11:object=a;pin-value=1234", "contains a PIN"),
      ("pkcs11:?pin-source=a", "absolute path"), ("pkcs11:?pin-source=/a%00", "absolute path"),
      ("pkcs11:?module-path=/a%00.so", "absolute path"),
      ("pkcs11:?pin-source=%7C/bin/askpin", "absolute path"),
      ("pkcs11:?pin-source=file://host/a", "absolute path"),
      ("pkcs11:?pin-source=/a&pin-source=/b", "'pin-source' twice"),
      ("pkcs11:?module-path=a.so", "absolute path"), ("pkcs11:?module-name=x", "not supported"),
    ])
  func refusals(text: String, reason: String) {
    let refusal = #expect(throws: PKCS11URI.Refusal.self) { try PKCS11URI(text) }
    #expect(refusal?.reason.contains(reason) == true, "\(String(describing: refusal))")
    #expect(refusal?.reason.contains("1234") != true)
  }
}
