import HTTP
import Primitives

/// The status of a response.
struct HTTPStatus: Sendable, Hashable {
  let code: Int

  static let ok = HTTPStatus(code: 200)
  static let created = HTTPStatus(code: 201)
  static let accepted = HTTPStatus(code: 202)
  static let noContent = HTTPStatus(code: 204)
  static let partialContent = HTTPStatus(code: 206)
  static let found = HTTPStatus(code: 302)
  static let seeOther = HTTPStatus(code: 303)
  static let badRequest = HTTPStatus(code: 400)
  static let unauthorized = HTTPStatus(code: 401)
  static let forbidden = HTTPStatus(code: 403)
  static let notFound = HTTPStatus(code: 404)
  static let methodNotAllowed = HTTPStatus(code: 405)
  static let contentTooLarge = HTTPStatus(code: 413)
  static let rangeNotSatisfiable = HTTPStatus(code: 416)
  static let internalServerError = HTTPStatus(code: 500)
  static let serviceUnavailable = HTTPStatus(code: 503)
}

/// The header fields of a message, in order.
struct Fields: Sendable, ExpressibleByDictionaryLiteral, Sequence {
  struct Field: Sendable {
    let name: FieldName
    let value: String
  }

  private var fields: [Field] = []

  init(dictionaryLiteral elements: (FieldName, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

  /// The values of a name, joined as those of a list; setting one replaces all.
  subscript(name: FieldName) -> String? {
    get {
      let values = values(of: name)
      return values.isEmpty ? nil : values.joined(separator: name == .cookie ? "; " : ", ")
    }
    set {
      fields.removeAll { $0.name == name }
      if let newValue { append(name, newValue) }
    }
  }

  func values(of name: FieldName) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  mutating func append(_ name: FieldName, _ value: String) {
    fields.append(Field(name: name, value: value))
  }
}

/// A request whose body has arrived.
struct Request: Sendable {
  var method: HTTPMethod
  /// Path and query, as they were sent.
  var target: String
  /// The field Host, which is not among the others.
  let authority: String?
  var headers: Fields
  /// The body; `nil` if it is larger than what any resource takes.
  var body: [UInt8]?

  /// The largest body.
  static let mostBytes = 32 << 20

  var path: String { String(target.prefix { $0 != "?" }) }

  var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The value of a cookie.
  func cookie(_ name: String) -> String? {
    for pair in (headers[.cookie] ?? "").split(separator: ";") {
      let halves = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2, halves[0] == name { return String(halves[1]) }
    }
    return nil
  }
}

/// A response, and how a fault spoils its way to the client.
struct Response: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Bytes that are made while they are sent: fills a buffer from a position on, and returns how many.
    case stream(length: Int, @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int)

    var length: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .stream(let length, _): length
      }
    }
  }

  enum Delivery: Sendable {
    case whole
    /// The connection ends in the middle of the body.
    case cut
    /// Content-Length says half of what is sent.
    case wrongLength
  }

  var status: HTTPStatus
  var headers: Fields
  var body: Body
  var delivery = Delivery.whole

  init(status: HTTPStatus, headers: Fields = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A refusal that has nothing to do with what a resource does.
struct HTTPError: Error {
  let status: HTTPStatus
}
