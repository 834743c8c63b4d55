public import HTTP
public import JSON
import OpenSSL
import Primitives

extension ResourceRequest {
  /// Makes a request step by step, as the builders of the vendors' SDKs do.
  ///
  /// A value: each step returns a changed copy, so that a common beginning can be used again.
  public struct Builder: Sendable {
    private var request = ResourceRequest("GET", "")

    /// Makes a builder of a GET to the base URL.
    public init() {}

    /// Makes a builder that begins with a request.
    public init(_ request: ResourceRequest) { self.request = request }

    /// Sets the path below the profile's resource URL, or the absolute URL.
    public func path(_ path: String) -> Builder { with { $0.path = path } }

    /// Sets the method, in any letter case.
    public func method(_ method: String) -> Builder { with { $0.method = method } }

    /// Sets the header fields in place of those before.
    public func headers(_ headers: [(name: String, value: String)]) -> Builder {
      with { $0.headers = headers }
    }

    /// Adds a header field.
    public func header(_ name: String, _ value: String) -> Builder {
      with { $0.headers.append((name, value)) }
    }

    /// Adds a parameter.
    public func parameter(_ name: String, _ value: String) -> Builder {
      with { $0.parameters.append((name, value)) }
    }

    /// Adds a parameter with a JSON value.
    public func parameter(_ name: String, json value: JSON) -> Builder {
      with { $0.jsonParameters.append((name, value)) }
    }

    /// Sets how parameters become a body.
    public func parametersEncoding(_ encoding: ParametersEncoding) -> Builder {
      with { $0.encoding = encoding }
    }

    /// Sets the body, which overrides parameters and encoding.
    public func body(_ body: HTTPBody?) -> Builder { with { $0.body = body } }

    /// Adds a part of a form that is uploaded.
    public func multipartData(_ part: MultipartData) -> Builder {
      with { $0.multipart.append(part) }
    }

    /// Sets how long the whole request may take; `nil` for no bound.
    public func timeout(_ timeout: Duration?) -> Builder { with { $0.timeout = timeout } }

    /// The request; what is wrong with it is found when it is sent.
    public func build() -> ResourceRequest { request }

    private func with(_ change: (inout ResourceRequest) -> Void) -> Builder {
      var builder = self
      change(&builder.request)
      return builder
    }
  }
}

/// One file or field of a form that a request uploads (`multipart/form-data`, RFC 7578).
public typealias MultipartData = MultipartBody.Part

extension ResourceRequest {
  /// The body and the media type of the form: parameters first, then the parts.
  ///
  /// `type` is the field `Content-Type` as typed, which may be another type of multipart.
  func encodedForm(as type: String?) throws(SDKError) -> (type: String, body: HTTPBody) {
    let type = type ?? "multipart/form-data"
    guard type.asciiLowercased.hasPrefix("multipart/"),
      !type.asciiLowercased.containsText("boundary=")
    else {
      throw SDKError(
        .invalidRequest,
        "could not send the request: it has a form, and its Content-Type is '\(type)'")
    }
    var parts = allParameters.map { name, value in
      MultipartData(name: name, data: .bytes(Array(value.utf8)))
    }
    for part in multipart {
      if let type = part.mimeType, type.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        throw SDKError(
          .invalidRequest,
          "could not send the request: the media type of '\(part.name)' is not valid")
      }
      parts.append(part)
    }
    let boundary = try MultipartBody.boundary()
    let body = MultipartBody(parts, boundary: boundary)
    return ("\(type); boundary=\(boundary)", .stream(body, length: body.length))
  }
}

extension JSON {
  /// The fields of a form or a query with this value, as the vendors' SDKs write it: `a[]=1` for each
  /// element of an array, `m[k]=v` for each member of an object, and so on inside of them.
  ///
  /// An empty array or object has no field.
  package func formFields(named name: String) -> [(name: String, value: String)] {
    if let elements = array { return elements.flatMap { $0.formFields(named: name + "[]") } }
    if let members = object {
      return members.sorted.flatMap { $1.formFields(named: "\(name)[\($0)]") }
    }
    return [(name, string ?? serialized())]
  }
}

extension MultipartBody {
  /// A boundary that no part contains.
  package static func boundary() throws(SDKError) -> String {
    try attempt("could not make a boundary") {
      "----" + Hex.encode(try Random.bytes(16))
    }
  }
}
