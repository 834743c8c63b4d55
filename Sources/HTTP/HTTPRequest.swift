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

/// A request method (RFC 9110 section 9).
public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
  /// The method as it is sent.
  public let name: String

  /// Makes a method; `nil` unless the name is a token of at most 32 characters.
  public init?(_ name: String) {
    guard isToken(name), name.utf8.count <= 32 else { return nil }
    self.name = name
  }

  /// Makes a method of a name in any letter case, which is sent in capitals.
  public init?(inAnyCase name: String) {
    // Only ASCII letters change: a Unicode mapping could make a method of another word.
    guard isToken(name) else { return nil }
    self.init(name.uppercased())
  }

  private init(known name: String) { self.name = name }

  /// GET.
  public static let get = HTTPMethod(known: "GET")
  /// HEAD.
  public static let head = HTTPMethod(known: "HEAD")
  /// POST.
  public static let post = HTTPMethod(known: "POST")
  /// PUT.
  public static let put = HTTPMethod(known: "PUT")
  /// PATCH.
  public static let patch = HTTPMethod(known: "PATCH")
  /// DELETE.
  public static let delete = HTTPMethod(known: "DELETE")

  /// The method as it is sent.
  public var description: String { name }

  /// Whether sending a request twice has the effect of sending it once (RFC 9110 section 9.2.2).
  public var isIdempotent: Bool {
    [.get, .head, .put, .delete].contains(self) || name == "OPTIONS"
  }

  /// Whether a server expects a body, be it empty (RFC 9110 section 8.6, RFC 5789).
  public var expectsBody: Bool { [.post, .put, .patch].contains(self) }
}

/// Whether a text is a `token` (RFC 9110 section 5.6.2).
package func isToken(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
}

func isTokenByte(_ byte: UInt8) -> Bool {
  if isUnreserved(byte) { return true }
  switch byte {
  case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
    UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"):
    return true
  default: return false
  }
}
