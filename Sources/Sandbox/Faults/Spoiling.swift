extension Fault {
  /// Makes of a good answer the bad one that this fault stands for.
  func spoil(_ answer: Response, now: Int) -> Response {
    var spoilt = answer
    switch self {
    case .garbage: spoilt.body = .bytes([0x00, 0xff, 0xfe, 0x7b, 0x22] + Secret.randomBytes(256))
    case .html:
      spoilt.body = .bytes(Array("<!doctype html><title>Welcome</title><h1>Welcome</h1>".utf8))
      spoilt.headers[.contentType] = "text/html; charset=utf-8"
    case .cutBody: spoilt.delivery = .cut
    case .wrongLength: spoilt.delivery = .wrongLength
    case .dateSkewed: spoilt.headers[.date] = HTTPDate.text(now - 3600)
    default: break
    }
    return spoilt
  }

  /// A response that ends after its head.
  static func silence() -> Response {
    var none = Response(status: .ok, headers: [.contentType: "application/json"])
    none.delivery = .cut
    return none
  }
}
