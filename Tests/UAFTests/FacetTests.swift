import TestSupport
import UAF

@Suite("Trusted facets")
struct FacetTests {
  @Test("are needed unless the application is the facet itself")
  func applications() throws {
    let facet = "ios:bundle-id:ch.test"
    #expect(try ApplicationID("", facetID: facet) == .own)
    #expect(try ApplicationID(facet, facetID: facet) == .own)
    #expect(try ApplicationID("https://a.test", facetID: "https://a.test") == .own)
    #expect(
      try ApplicationID("https://a.test/f", facetID: facet)
        == .listed(at: try HTTPURL("https://a.test/f")))
    for (appID, code) in [
      ("http://a.test/f", ClientErrorCode.insecureTransport), ("ios:other", .untrustedFacetID),
      ("javascript:x", .untrustedFacetID), ("https://", .untrustedFacetID),
      ("IOS:bundle-id:ch.test", .untrustedFacetID),
    ] {
      let error = #expect(throws: UAFError.self) { try ApplicationID(appID, facetID: facet) }
      #expect(error?.code == code, "\(appID)")
    }
  }

  @Test("are those of the list for the version of the request")
  func listed() throws {
    let facets = try TrustedFacets(
      parsing: Self.list([
        Self.element(["ios:bundle-id:a", "https://www.a.test"], minor: 1),
        Self.element(["ios:bundle-id:b"], minor: 0), Self.element(["ios:bundle-id:c"], minor: 1),
      ]))
    for (facetID, minor, isTrusted) in [
      ("ios:bundle-id:a", 1, true), ("ios:bundle-id:c", 1, true), ("ios:bundle-id:b", 1, false),
      ("ios:bundle-id:b", 0, true), ("ios:bundle-id:A", 1, false), ("", 1, false),
      ("https://www.a.test", 1, true), ("https://www.a.test/login", 1, true),
      ("https://a.test", 1, false), ("http://www.a.test", 1, false),
      ("https://www.a.test:8443", 1, false),
    ] as [(String, UInt16, Bool)] {
      #expect(
        facets.trust(
          facetID, in: ProtocolVersion(major: 1, minor: minor),
          of: try HTTPURL("https://a.test/facets"), isPublicSuffix: { $0 == "test" }) == isTrusted,
        "\(facetID)")
    }
  }

  @Test("on the web belong to the site of the application")
  func sites() throws {
    for (facet, appID, isTrusted) in [
      ("https://a.co.test", "https://a.co.test/f", true),
      ("https://x.y.a.co.test", "https://b.a.co.test/f", true),
      ("https://b.co.test", "https://a.co.test/f", false),
      ("https://127.0.0.1", "https://127.0.0.1/f", true),
      ("https://127.0.0.1", "https://1.0.0.1/f", false),
      ("ios:bundle-id:a", "https://anything.test/f", true),
    ] {
      let facets = try TrustedFacets(parsing: Self.list([Self.element([facet], minor: 1)]))
      #expect(
        facets.trust(
          facet, in: .v1_1, of: try HTTPURL(appID),
          isPublicSuffix: { !$0.contains(".") || $0 == "co.test" }) == isTrusted, "\(facet)")
    }
  }

  /// As the conformance tests of the FIDO Alliance expect.
  @Test(
    "are none if the list is malformed",
    arguments: [
      "", "[]", "{}", #"{"trustedFacets":{}}"#, #"{"trustedFacets":[1]}"#,
      #"{"trustedFacets":[{"ids":["a"]}]}"#, #"{"trustedFacets":[{"version":"1.1","ids":["a"]}]}"#,
      #"{"trustedFacets":[{"version":{"major":"1","minor":1},"ids":["a"]}]}"#,
      #"{"trustedFacets":[{"version":{"major":1,"minor":1}}]}"#,
      #"{"trustedFacets":[{"version":{"major":1,"minor":1},"ids":"a"}]}"#,
    ])
  func malformed(text: String) {
    let error = #expect(throws: UAFError.self) { try TrustedFacets(parsing: Array(text.utf8)) }
    #expect(error?.code == .untrustedFacetID)
  }

  @Test("come with status 200 and their media type")
  func response() throws {
    let list = Self.list([Self.element(["a"], minor: 1)])
    for (status, type, isRead) in [
      (200, "application/fido.trusted-apps+json", true),
      (200, "Application/FIDO.trusted-apps+json; charset=utf-8", true),
      (200, "application/json", false), (404, "application/fido.trusted-apps+json", false),
    ] {
      let response = HTTPResponse(
        status: status, fields: [try HTTPField("Content-Type", type)], body: list,
        url: try HTTPURL("https://a.test/f"))
      if isRead {
        _ = try TrustedFacets(response)
      } else {
        let error = #expect(throws: UAFError.self) { _ = try TrustedFacets(response) }
        #expect(error?.code == .untrustedFacetID)
      }
    }
  }

  @Test("are elsewhere only if the server authorizes the redirect")
  func redirects() throws {
    for (status, authorized, location, target) in [
      (200, nil, nil, nil), (302, "true", "/g", "https://a.test/g"),
      (301, "true", "https://b.test/g", "https://b.test/g"),
    ] as [(Int, String?, String?, String?)] {
      let response = try Self.redirect(status, authorized, location)
      #expect(try FacetRedirect.target(of: response) == target.map { try HTTPURL($0) })
    }
    for (status, authorized, location) in [
      (302, nil, "/g"), (302, "false", "/g"), (302, "true", nil), (302, "true", "http://a.test/g"),
      (304, "true", "/g"), (302, "true", ""),
    ] as [(Int, String?, String?)] {
      let response = try Self.redirect(status, authorized, location)
      let error = #expect(throws: UAFError.self) { _ = try FacetRedirect.target(of: response) }
      #expect(error?.code == .untrustedFacetID)
    }
  }

  private static func redirect(
    _ status: Int, _ authorized: String?, _ location: String?
  ) throws -> HTTPResponse {
    var fields: [HTTPField] = []
    if let authorized {
      fields.append(try HTTPField("FIDO-AppID-Redirect-Authorized", authorized))
    }
    if let location { fields.append(try HTTPField("Location", location)) }
    return HTTPResponse(
      status: status, fields: HTTPFields(fields), url: try HTTPURL("https://a.test/f"))
  }

  private static func element(_ ids: [String], minor: Int64) -> JSON {
    ["version": ["major": 1, "minor": .int(minor)], "ids": .strings(ids)]
  }

  private static func list(_ elements: [JSON]) -> [UInt8] {
    (["trustedFacets": .array(elements)] as JSON).serializedBytes()
  }
}
