extension Remedy {
  /// The registration that would help.
  public struct Registering: Hashable, Sendable {
    /// What happens to the registration that exists.
    public enum Way: Hashable, Sendable {
      /// There is none yet.
      case new
      /// It is replaced by a new one.
      case replacing
      /// It is changed at the server (RFC 7592).
      case updating
    }

    /// The client to use.
    public enum ClientSource: Hashable, Sendable {
      /// One that the server makes (RFC 7591).
      case new
      /// One that exists at the provider; `nil` if its id is not known here.
      case existing(String?)
    }

    /// The redirect URI to register.
    public enum RedirectURI: Hashable, Sendable {
      /// The default.
      case usual
      /// One with another port of the loopback address.
      case otherPort
      /// One with a URL scheme of the program's own (RFC 8252 section 7.1).
      case ownScheme
    }

    /// What happens to the registration that exists.
    public var way: Way
    /// The client to use.
    public var client: ClientSource
    /// How the client authenticates (`token_endpoint_auth_method`); `nil` for any method.
    public var authenticationMethod: String?
    /// Whether the client's secret must be given.
    public var needsSecret: Bool
    /// Whether a client certificate and its key must be given.
    public var needsCertificate: Bool
    /// The redirect URI to register.
    public var redirectURI: RedirectURI

    /// Makes the description of a registration.
    public init(
      _ way: Way = .new, client: ClientSource = .new, authenticationMethod: String? = nil,
      needsSecret: Bool = false, needsCertificate: Bool = false, redirectURI: RedirectURI = .usual
    ) {
      self.way = way
      self.client = client
      self.authenticationMethod = authenticationMethod
      self.needsSecret = needsSecret
      self.needsCertificate = needsCertificate
      self.redirectURI = redirectURI
    }
  }
}
