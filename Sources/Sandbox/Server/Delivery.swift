import HTTP
import HTTPServer
import Primitives

extension ServerExchange {
  /// Sends a response, as its fault wants it.
  func send(_ response: Response) {
    var fields = HTTPFields()
    for field in response.headers {
      if let field = try? HTTPField(field.name.text, field.value) { fields.append(field) }
    }
    let reply = ServerReply(response.status.code, fields)
    let length = response.body.length
    switch response.delivery {
    case .wrongLength:
      let bytes = response.wholeBody
      takeOver { session in
        session?.send(Self.head(reply, length: bytes.count / 2) + bytes)
      }
    case .cut:
      let half = Array(response.wholeBody.prefix(length / 2))
      respond(reply, length: Int64(length + 4096)) { position, buffer in
        position < half.count ? buffer.copy(half[position...]) : nil
      }
    case .whole:
      switch response.body {
      case .bytes(let bytes):
        respond(reply, length: Int64(length)) { position, buffer in
          buffer.copy(bytes[position...])
        }
      case .stream(_, let read): respond(reply, length: Int64(length), reading: read)
      }
    }
  }

  private static func head(_ reply: ServerReply, length: Int) -> [UInt8] {
    var lines = [
      "HTTP/1.1 \(reply.status) Fault", "Content-Length: \(length)", "Connection: close",
    ]
    lines += reply.fields.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

extension Response {
  /// The whole body, which may be long.
  var wholeBody: [UInt8] {
    switch body {
    case .bytes(let bytes): return bytes
    case .stream(let length, let read):
      var all: [UInt8] = []
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
      defer { piece.deallocate() }
      while all.count < length {
        let count = read(all.count, piece)
        all.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<count]))
      }
      return all
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies as many bytes as fit, and returns how many.
  fileprivate func copy(_ bytes: ArraySlice<UInt8>) -> Int {
    let part = bytes.prefix(count)
    part.withUnsafeBytes { copyMemory(from: $0) }
    return part.count
  }
}
