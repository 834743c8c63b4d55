import HTTP
import JOSE
import JSON
import OAuth
import Primitives

/// The authorization server of a profile: its metadata and keys, and this client at its endpoints.
package final class AuthorizationServer: Sendable {
  let environment: SessionEnvironment
  let records: RegistrationRecords
  let dpop: DPoPKeys
  package let cache: TrustCache
  let discoveries = Discoveries()
  let validation = SharedTask<ClientValidation>()
  var profile: Profile { environment.profile }
  func now() -> Timestamp { environment.now() }

  init(_ records: RegistrationRecords, _ cache: TrustCache, _ seal: UserSeal) {
    environment = records.environment
    self.records = records
    self.cache = cache
    dpop = DPoPKeys(
      environment: environment, nonces: NonceFile(environment.location, environment.profile.name),
      seal: seal)
  }

  /// Asks for the passcodes and the passphrase of what this client proves itself by, before a lock is taken.
  func unseal() async throws(SDKError) {
    try await records.unseal()
    try await dpop.unseal()
  }

  func serverClient() -> ServerClient { environment.serverClient() }

  func keys(of server: ServerMetadata) throws(OAuthError) -> KeySet {
    KeySet(
      url: try server.required(.keys), serverClient: serverClient(),
      cache: cache, now: environment.clock.now)
  }

  /// The token endpoint; it gets proofs of possession if the policy or the caller requires them.
  ///
  /// With `isBound` tokens are to be bound to a key, `nil` is the profile's way; who
  /// `insists` on it gets no bearer token. The client also proves itself at the `other` endpoints, and
  /// presents tokens that are for the endpoints `tokens`.
  func tokenEndpoint(
    binding isBound: Bool? = nil, insisting insists: Bool = false,
    and other: [ServerMetadata.Endpoint] = [], presenting tokens: SecretEndpoints? = nil
  ) async throws(SDKError) -> TokenEndpoint {
    guard isBound != false || !profile.requiresBoundTokens else {
      throw SDKError(
        .policy, cause: "the profile requires tokens that are bound to a key (dpop=required)")
    }
    let registration = try await records.required()
    let metadata = try await metadata(offering: .token)
    let client = try await client(
      registration, at: metadata, for: [.token] + other, presenting: tokens)
    var exchange = serverClient()
    if isBound ?? registration.bindsTokens(of: profile) {
      exchange.dpop = try await dpop.proof(at: metadata)
      if insists { exchange.dpop?.isRequired = true }
    }
    let added = environment.tokenParameters
    exchange.secretNames = added.secretNames
    let additional = try await added.loaded()
    let proving = exchange
    return try attempt {
      var endpoint = TokenEndpoint(try metadata.required(.token), client: client, over: proving)
      endpoint.additional = additional
      endpoint.refreshURL = profile.ownEndpoint("refresh")
      return endpoint
    }
  }

  /// The client as it proves itself at a server's endpoints; asks for the passphrase of a sealed key.
  func client(
    _ registration: Registration, at server: ServerMetadata,
    for endpoints: [ServerMetadata.Endpoint], presenting tokens: SecretEndpoints? = nil
  ) async throws(SDKError) -> ClientAuthentication {
    try requireOwn(
      endpoints, at: server, own: endpoints.contains(.token) ? ["refresh"] : [],
      of: registration, presenting: tokens)
    guard !registration.hasExpiredSecret(at: now()) else {
      let end = registration.secretExpires.map { " at \($0)" } ?? ""
      throw SDKError(
        .clientExpired, cause: "the client secret expired\(end)",
        subject: profile.name.description,
        remedy: .register(.init(registration.isManaged ? .updating : .replacing)))
    }
    var client = try await records.unsealed(registration).authentication.at(server)
    if client.method == .foreignAssertion, let source = registration.assertionSource {
      client.foreignAssertion = try await AssertionReader(environment: environment)
        .assertion(from: source)
    }
    client.encodesBasic = profile.encodesBasic
    client.isGiven = registration.source == .given
    client.acceptedForms = CredentialFormFile(
      location: environment.location, profile: profile.name, issuer: server.issuer)
    return client
  }

  func management(
    of registration: Registration
  ) throws(SDKError) -> ClientManagement {
    guard registration.source == .dynamic else {
      throw SDKError(.unsupported, cause: "the client was given, not registered from here")
    }
    return try attempt { try ClientManagement(registration.client, over: serverClient()) }
  }
}

extension [TokenParameter] {
  func loaded() async throws(SDKError) -> FormParameters {
    var form = FormParameters()
    for parameter in self {
      if let file = parameter.file {
        form.append(
          parameter.name,
          try await SecretFile.line(of: file, "token parameter '\(parameter.name)'"))
      } else {
        form.append(parameter.name, parameter.value)
      }
    }
    return form
  }
}
