import CoreTestSupport

@testable import SDKCore

@Suite("The vendors' numbers")
struct NumberTests {
  @Test(
    "are set for each kind of failure",
    arguments: [
      (SDKError.Code.noProfile, "ConfigurationInvalid", 10_001),
      (.invalidConfiguration, "ConfigurationInvalid", 10_001),
      (.store, "DataStorageNotAvailable", 9024),
      (.storeUnavailable, "DataStorageNotAvailable", 9024),
      (.storeVersion, "UnrecoverableDataState", 9025),
      (.storePermissions, "ProtectedDataStorageNotAvailable", 9023),
      (.invalidRequest, "RequestInvalid", 10_015), (.network, "NetworkConnectivityFailure", 9000),
      (.tls, "ServerNotReachable", 9001), (.pin, "ServerNotReachable", 9001),
      (.busy, "ActionAlreadyInProgress", 9007), (.denied, "ActionCancelled", 9006),
      (.cancelled, "ActionCancelled", 9006), (.malformedResponse, "Unknown", 10_000),
      (.unavailable, "Unknown", 10_000), (.refused, "Unknown", 10_000),
      (.untrusted, "Unknown", 10_000), (.policy, "RequestInvalid", 10_015),
      (.unsupported, "Unknown", 10_000), (.identity, "ServerNotReachable", 9001),
      (.noEnrolment, "ConfigurationInvalid", 10_001), (.wrongPassword, "RequestInvalid", 10_015),
      (.localData, "Unknown", 10_000),
    ])
  func kinds(code: SDKError.Code, name: String, number: Int) {
    let resource = SDKError(code, "m").resource
    #expect(resource == ResourceError(.generic, name, number))
    #expect(SDKError(code, "m", resource: .localLogout).resource == .localLogout)
  }

  @Test("have the domain of the access if that is what fails")
  func domains() {
    #expect(SDKError(.notRegistered, "m").resource == .deviceNotAuthenticated)
    #expect(SDKError(.sessionExpired, "m").resource == .userNotAuthenticated)
  }

  @Test(
    "are carried through when a server sends them",
    arguments: [
      (9002, "DeviceDeregistered", ResourceError.Domain.generic),
      (9003, "UserDeregistered", .generic), (9004, "OutdatedApplication", .generic),
      (9005, "OutdatedOS", .generic), (9008, "DeviceRegistrationFailure", .generic),
      (9010, "UserNotAuthenticated", .user), (10_002, "InvalidState", .registration),
      (10_012, "DeviceNotAuthenticated", .anonymous), (10_020, "Unknown", .generic),
      (9099, "Unknown", .generic),
    ])
  func sent(number: Int, name: String, domain: ResourceError.Domain) {
    let server = ServerError(error: "x", description: nil, status: 400, number: number)
    let error = SDKError(
      OAuthError(.refused, "x", server: server), "could not do it",
      resource: .deviceRegistrationFailure)
    #expect(error.resource == ResourceError(domain, name, number))
  }

  @Test(
    "follow from the error code of a server",
    arguments: [
      (OAuthError.Code.refused, "invalid_client", 9002), (.refused, "invalid_grant", 10_000),
      (.unavailable, nil, 9001), (.denied, "access_denied", 9006), (.malformed, nil, 10_000),
    ] as [(OAuthError.Code, String?, Int)])
  func words(code: OAuthError.Code, word: String?, number: Int) {
    let server = word.map { ServerError(error: $0, description: nil) }
    #expect(SDKError(OAuthError(code, "m", server: server), "a").resource.number == number)
  }

  @Test(
    "say that a provider is not known if the login names one",
    arguments: [("x", 10_020), (nil, 10_000)] as [(String?, Int)])
  func provider(idp: String?, number: Int) async throws {
    let world = try await World.registered()
    let person = Person(["x?error=invalid_request&state=STATE"])
    var options = LoginOptions()
    options.parameters["idp"] = idp
    let (chosen, session) = (options, try world.session())
    let error = await expect(.refused) {
      try await session.login.logIn(by: person.way, chosen)
    }
    #expect(error?.resource.number == number)
  }
}
