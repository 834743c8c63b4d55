/// One request, ready to be sent.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The URL.
  public var url: HTTPURL
  /// The header fields, without those that frame the message: the transport sets them (`Host`,
  /// `Content-Length`, `Transfer-Encoding`, `Connection`, `Upgrade`).
  public var fields: HTTPFields
  /// The names of fields that the transport must not add, such as `Accept`.
  public var omittedFields: [String] = []
  /// The body.
  public var body: HTTPBody
  /// How long the whole request and response may take; `nil` for no limit.
  public var timeout: Duration?
  /// The client certificate for servers that ask for one; connections are not shared with others.
  public var clientCertificate: ClientCertificate?
  /// Whether the handshake ends if the server asks for a certificate and there is none to show, or
  /// only one of an authority that the server does not name.
  ///
  /// Then the error has a
  /// ``TransportError/certificateRefusal`` with the issuers that the server accepts. Otherwise the
  /// request goes on without a certificate.
  public var stopsForCertificate = false
  /// Until when it must have been sent, by a clock that goes on while the machine sleeps; `nil` for no limit.
  ///
  /// Asked when the connection is made, just before the request goes out.
  public var sendBefore: ContinuousClock.Instant?
  /// Suspends and resumes the transfer; `nil` if nothing does.
  public var gate: TransferGate?
  /// Whether redirects are followed; a transport itself follows none.
  public var followsRedirects = true
  /// Whether the server may compress the body, which is then decoded.
  public var decodesContent = false
  /// Whether the response describes the certificates that the server sent.
  public var describesCertificates = false

  /// Makes a request.
  public init(
    _ method: HTTPMethod = .get, _ url: HTTPURL, fields: HTTPFields = [], body: HTTPBody = .none,
    timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.timeout = timeout
  }

  /// A POST of a form.
  public static func form(
    _ url: HTTPURL, _ parameters: FormParameters, fields: HTTPFields = [], timeout: Duration? = nil
  ) -> HTTPRequest {
    var fields = fields
    fields.replace(with: HTTPField(known: "Content-Type", "application/x-www-form-urlencoded"))
    return HTTPRequest(
      .post, url, fields: fields, body: .bytes(Array(parameters.encoded.utf8)), timeout: timeout)
  }
}

/// The body of a request.
public enum HTTPBody: Sendable {
  /// Nothing.
  case none
  /// Bytes in memory.
  case bytes([UInt8])
  /// Bytes read while they are sent; of known length, or chunked.
  case stream(any HTTPBodySource, length: Int64?)
}

/// The source of a request body that is read while it is sent.
///
/// Called on the transport's thread, one call at a time.
public protocol HTTPBodySource: AnyObject, Sendable {
  /// Fills the buffer and returns the byte count; 0 at the end, `nil` if reading failed.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
  /// Starts again, for a request that is sent again; `false` if it cannot.
  func rewind() -> Bool
  /// Whether ``rewind()`` would succeed now; if it returns `true`, it must remain so until then.
  var mayRewind: Bool { get }
  /// The descriptor to wait for before ``read(into:)``; `nil` if reading never waits.
  var awaitedDescriptor: Int32? { get }
}

extension HTTPBodySource {
  /// What could be rewound at the beginning can be so later.
  public var mayRewind: Bool { true }

  /// Reading never waits.
  public var awaitedDescriptor: Int32? { nil }
}
