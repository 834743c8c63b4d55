public import HTTP
import Primitives
import Synchronization

/// A request as an observer sees it before it is sent.
public struct ObservedRequest: Sendable, Identifiable {
  /// A resource request, over all redirects and repetitions.
  public struct ID: Sendable, Hashable {
    private let number: UInt64

    static func unique() -> ID {
      ID(number: counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    private static let counter = Atomic<UInt64>(0)
  }

  /// The responses that are refusals of the client certificate.
  public struct CertificateRule: Sendable, Hashable {
    /// Whether the handshake ends if the server asks and there is no certificate to show.
    public var stopsIfRequested: Bool
    /// Statuses that are refusals of the certificate, in addition to those of nginx (400, 495, 496).
    public var refusalStatuses: Set<Int>

    /// Makes a rule.
    public init(stopsIfRequested: Bool = true, refusalStatuses: Set<Int> = []) {
      self.stopsIfRequested = stopsIfRequested
      self.refusalStatuses = refusalStatuses
    }
  }

  /// The identifier of the resource request, which all its redirects and repetitions have.
  public let id: ID
  /// Whether this is the origin that the request was for; `false` after a redirect to another one.
  public let isAtOrigin: Bool
  /// The request with its token and everything else that is sent.
  public private(set) var http: HTTPRequest
  /// The responses that are refusals of the client certificate; `nil` if no observer handles refusals.
  public var certificateRule: CertificateRule?

  private var shown: Shared<Identity>?
  /// Whether the identity was chosen before it is known whether the server asks for one.
  private(set) var isGuess = false

  init(id: ID, _ http: HTTPRequest, isAtOrigin: Bool) {
    self.id = id
    self.http = http
    self.isAtOrigin = isAtOrigin
  }

  /// The URL.
  public var url: HTTPURL { http.url }

  /// The identity that it shows to servers that ask for one.
  public var identity: Identity? { shown?.value }

  /// The client certificate for servers that ask for one; ignored at another origin.
  public var clientCertificate: ClientCertificate? {
    get { http.clientCertificate }
    set { if isAtOrigin { http.clientCertificate = newValue } }
  }

  /// Shows an identity to servers that ask for one; ignored at another origin.
  public mutating func show(_ identity: Identity?) { show(identity, isGuess: false) }

  /// The same; with `isGuess`, the response must tell whether the server has asked for it.
  mutating func show(_ identity: Identity?, isGuess: Bool) {
    guard isAtOrigin else { return }
    self.isGuess = isGuess
    shown = identity.map(Shared.init)
    http.clientCertificate = identity?.clientCertificate
  }

  /// Sets a header field, in place of those of the same name.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for a field that only the library sets.
  public mutating func set(_ name: String, _ value: String) throws(SDKError) {
    guard !ResourceRequest.reserved.contains(name.asciiLowercased) else {
      throw SDKError(
        .invalidRequest, "could not send the request: the header field '\(name)' is reserved")
    }
    try attempt("could not send the request", as: .invalidRequest) {
      http.fields.replace(with: try HTTPField(name, value))
    }
  }

  var sent: HTTPRequest {
    guard certificateRule?.stopsIfRequested == true else { return http }
    var request = http
    request.stopsForCertificate = true
    return request
  }
}
