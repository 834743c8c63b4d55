public import HTTP
public import JSON
import Primitives

/// A request to a resource server, before its credential and its host are known.
///
/// A value: a copy in a `var` is its mutable form.
public struct ResourceRequest: Sendable {
  /// A path below the profile's resource URL, or an absolute URL.
  public var path: String
  /// The method as typed; checked when the request is sent (10010).
  public var method: String
  /// Header fields as typed; checked when the request is sent (10019).
  public var headers: [(name: String, value: String)]
  /// The names of fields that are not added by default, such as `Accept` and `Content-Type`.
  public var omittedHeaders: [String] = []
  /// Further fields, whose values may be other bytes than UTF-8.
  public var fields: HTTPFields = []
  /// Parameters: in the query of GET, HEAD and DELETE, else in the body.
  public var parameters: [(name: String, value: String)]
  /// Parameters with a JSON value.
  ///
  /// In a query or a form an array is `a[]=1`, an object `m[k]=v`, unless
  /// the encoding says otherwise; in a form that uploads files they are JSON text.
  public var jsonParameters: [(name: String, value: JSON)] = []
  /// Fields and files of a form (`multipart/form-data`), for POST only.
  ///
  /// `parameters` become the first fields of the form; `encoding` is ignored.
  public var multipart: [MultipartData] = []
  /// How parameters become a body.
  public var encoding: ParametersEncoding
  /// A body, which overrides parameters and encoding.
  public var body: HTTPBody?
  /// The media type of the body, unless a header field has it or leaves it out.
  public var bodyType = "application/octet-stream"
  /// How long the whole request may take; `nil` for no bound.
  public var timeout: Duration?
  /// Whether the server may compress the body of the response, which is then decoded.
  public var decodesContent = false
  /// Whether redirects are followed.
  public var followsRedirects = true
  /// Whether the response describes the certificates that the server sent.
  public var describesCertificates = false
  /// Where earlier pages of a list led to, up to the page that is requested.
  package var pages: [HTTPURL] = []

  /// Makes a GET.
  public init(
    _ path: String, headers: [(name: String, value: String)] = [],
    parameters: [(name: String, value: String)] = [], timeout: Duration? = nil
  ) {
    self.init("GET", path, headers: headers, parameters: parameters, timeout: timeout)
  }

  /// Makes a request, by default without parameters, header fields and body.
  public init(
    _ method: String, _ path: String, headers: [(name: String, value: String)] = [],
    parameters: [(name: String, value: String)] = [], encoding: ParametersEncoding = .json,
    body: HTTPBody? = nil, timeout: Duration? = nil
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.parameters = parameters
    self.encoding = encoding
    self.body = body
    self.timeout = timeout
  }
}

/// How parameters become a body.
public enum ParametersEncoding: String, Sendable, CaseIterable {
  /// A JSON object of strings.
  case json
  /// `application/x-www-form-urlencoded`.
  case formURL = "form"
  /// The same, with arrays and objects as JSON text; in a query too.
  case formJSON = "form-json"
}

extension ResourceRequest {
  /// The HTTP request, checked in the order of the vendors: method, then header fields, then URL.
  package func http(
    relativeTo base: HTTPURL?, domain: ResourceError.Domain
  ) throws(SDKError) -> HTTPRequest {
    guard let method = HTTPMethod(inAnyCase: method), Self.methods.contains(method) else {
      throw SDKError(
        .invalidRequest,
        "could not send the request: the method is not GET, POST, PUT, PATCH, HEAD or DELETE",
        resource: .invalidMethod(domain))
    }
    var fields = try checkedFields(domain)
    var url = try resolved(against: base)
    if method == .head, body != nil {
      throw SDKError(.invalidRequest, "could not send the request: HEAD has no body")
    }
    if let body, !body.isEmpty { addType(bodyType, to: &fields) }
    var body = body ?? .none
    if !multipart.isEmpty {
      try requireForm(method, domain)
      let (type, form) = try encodedForm(as: fields["Content-Type"])
      body = form
      fields.replace(with: HTTPField(known: "Content-Type", type))
    } else if self.body == nil, !parameters.isEmpty || !jsonParameters.isEmpty {
      if ["GET", "HEAD", "DELETE"].contains(method.name) {
        url = url.adding(form)
      } else {
        let (type, bytes) = encodedParameters
        body = .bytes(bytes)
        addType(type, to: &fields)
      }
    }
    var request = HTTPRequest(method, url, fields: fields, body: body, timeout: timeout)
    request.omittedFields = omittedHeaders
    request.decodesContent = decodesContent
    request.followsRedirects = followsRedirects
    request.describesCertificates = describesCertificates
    return request
  }

  /// Adds the media type of the body, unless a header field has it or leaves it out.
  private func addType(_ type: String, to fields: inout HTTPFields) {
    guard !fields.contains("Content-Type"), !omits("Content-Type") else { return }
    fields.append(HTTPField(known: "Content-Type", type))
  }

  private func checkedFields(_ domain: ResourceError.Domain) throws(SDKError) -> HTTPFields {
    var fields = fields
    for (name, value) in headers { fields.append(try Self.field(name, value, domain)) }
    for name in omittedHeaders { _ = try Self.field(name, "", domain) }
    return fields
  }

  private static func field(
    _ name: String, _ value: String, _ domain: ResourceError.Domain
  ) throws(SDKError) -> HTTPField {
    let cause: String
    do throws(HTTPFieldError) {
      let field = try HTTPField(name, value)
      if !reserved.contains(name.asciiLowercased) { return field }
      cause = "the header field '\(name)' is reserved"
    } catch {
      cause = error.description
    }
    throw SDKError(
      .invalidRequest, "could not send the request: \(cause)", resource: .invalidHeaders(domain),
      subject: name.asciiLowercased)
  }

  private func omits(_ name: String) -> Bool {
    omittedHeaders.contains { $0.equalsIgnoringCase(name) }
  }

  /// Whether a path is rather a URL without its scheme: `api.example.com/me`.
  public static func looksLikeHost(_ path: String) -> Bool {
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else { return false }
    let first = path[..<slash]
    return first.utf8.contains(UInt8(ascii: ".")) && (try? HTTPURL("https://\(first)")) != nil
      && !first.utf8.contains(where: { ":?".utf8.contains($0) })
      && first != "." && first != ".."
  }

  /// The URL: the absolute one that `path` is, or the path appended to the base.
  func resolved(against base: HTTPURL?) throws(SDKError) -> HTTPURL {
    let isAbsolute = path.utf8.first { ":/?".utf8.contains($0) } == UInt8(ascii: ":")
    guard isAbsolute || base != nil else {
      throw SDKError(
        .invalidConfiguration, "could not resolve '\(path)': the profile has no resourceURL",
        subject: "resourceURL")
    }
    return try attempt("could not use the URL", as: .invalidRequest) {
      guard !isAbsolute, let base else { return try HTTPURL(path) }
      guard !path.hasPrefix("//") else {
        throw HTTPURLError(description: "a path starts with one slash")
      }
      return try base.appending(path)
    }
  }

  private func requireForm(
    _ method: HTTPMethod, _ domain: ResourceError.Domain
  ) throws(SDKError) {
    guard method == .post else {
      throw SDKError(
        .invalidRequest, "could not send the request: a form needs the method POST",
        resource: .invalidMethod(domain))
    }
    if body != nil {
      throw SDKError(.invalidRequest, "could not send the request: it has a body and a form")
    }
  }

  /// All parameters as text; JSON values other than strings as JSON.
  var allParameters: [(name: String, value: String)] {
    parameters + jsonParameters.map { ($0.name, $0.value.string ?? $0.value.serialized()) }
  }

  private var form: FormParameters {
    var form = FormParameters()
    let written =
      encoding == .formJSON
      ? allParameters : parameters + jsonParameters.flatMap { $1.formFields(named: $0) }
    for (name, value) in written { form.append(name, value) }
    return form
  }

  private var encodedParameters: (type: String, bytes: [UInt8]) {
    switch encoding {
    case .formURL, .formJSON: return ("application/x-www-form-urlencoded", Array(form.encoded.utf8))
    case .json:
      var members: JSONObject = [:]
      for (name, value) in parameters { members[name] = .string(value) }
      for (name, value) in jsonParameters { members[name] = value }
      return ("application/json", Array(JSON.object(members).serialized().utf8))
    }
  }

  private static let methods: [HTTPMethod] = [.get, .post, .put, .patch, .head, .delete]

  static let reserved: Set<String> = [
    "authorization", "dpop", "user-agent", "host", "content-length", "transfer-encoding",
    "connection", "upgrade",
  ]
}

extension HTTPBody {
  /// Whether it has no bytes, as far as that is known.
  fileprivate var isEmpty: Bool {
    switch self {
    case .none: true
    case .bytes(let bytes): bytes.isEmpty
    case .stream(_, let length): length == 0
    }
  }
}
