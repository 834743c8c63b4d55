import HTTPTypes
import Hummingbird

/// Why the sandbox ends a connection without finishing its answer.
struct ConnectionEnded: Error {}

extension Fault {
  /// Makes of a good answer the bad one that this fault stands for.
  func spoil(_ answer: Response, now: Int) -> Response {
    var spoilt = answer
    let filler = [UInt8](repeating: UInt8(ascii: "#"), count: 4096)
    switch self {
    case .garbage:
      spoilt.body = ResponseBody(
        byteBuffer: ByteBuffer(bytes: [0x00, 0xff, 0xfe, 0x7b, 0x22] + Secret.randomBytes(256)))
    case .html:
      spoilt.body = ResponseBody(
        byteBuffer: ByteBuffer(string: "<!doctype html><title>Welcome</title><h1>Welcome</h1>"))
      spoilt.headers[.contentType] = "text/html; charset=utf-8"
    case .cutBody:
      spoilt = Response(status: answer.status, headers: answer.headers, body: cut(answer.body))
      spoilt.headers[.contentLength] = "\((answer.body.contentLength ?? 0) + filler.count)"
    case .wrongLength:
      let length = answer.body.contentLength ?? 0
      spoilt.headers[.contentLength] = "\(length / 2)"
      spoilt.headers[.connection] = "close"
      spoilt = Response(status: spoilt.status, headers: spoilt.headers, body: whole(answer.body))
    case .dateSkewed:
      spoilt.headers[.sandboxDate] = HTTPDate.text(now - 3600)
    default: break
    }
    return spoilt
  }

  /// No answer at all: the connection ends after the request.
  static func silence() -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .contentLength: "4096"],
      body: ResponseBody { _ in throw ConnectionEnded() })
  }

  private func cut(_ body: ResponseBody) -> ResponseBody {
    ResponseBody { writer in
      try await body.write(HalfWriter(writer: writer))
      throw ConnectionEnded()
    }
  }

  private func whole(_ body: ResponseBody) -> ResponseBody {
    ResponseBody { writer in
      try await body.write(writer)
    }
  }
}

/// Passes on the first half of what it is given and never says that it is finished.
private struct HalfWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await writer.write(
      buffer.getSlice(at: buffer.readerIndex, length: buffer.readableBytes / 2)
        ?? buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
