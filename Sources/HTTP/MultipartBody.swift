import Synchronization

/// A body of the type `multipart/form-data` (RFC 7578), read part by part while it is sent.
public final class MultipartBody: HTTPBodySource {
  /// One field or file of the form.
  public struct Part: Sendable {
    /// The name of the field.
    public var name: String
    /// The name of the file; `nil` for a field.
    public var fileName: String?
    /// The media type; `nil` for none.
    public var mimeType: String?
    /// The content: bytes, or a stream that is read while it is sent.
    public var data: HTTPBody

    /// Makes a part.
    public init(name: String, data: HTTPBody, fileName: String? = nil, mimeType: String? = nil) {
      self.name = name
      self.fileName = fileName
      self.mimeType = mimeType
      self.data = data
    }
  }

  /// Where the next byte is.
  private struct Position {
    var index = 0
    var offset = 0
  }

  private let segments: [HTTPBody]
  private let position = Mutex(Position())
  /// The length of the whole body; `nil` if that of a part is not known.
  public let length: Int64?

  /// Makes a body of parts in UTF-8; no part may contain the boundary.
  public convenience init(_ parts: [Part], boundary: String) {
    self.init(parts, boundary: boundary) { Array($0.utf8) }
  }

  /// Makes a body of parts whose names have another encoding.
  package init(_ parts: [Part], boundary: String, encoding names: (String) -> [UInt8]) {
    var segments: [HTTPBody] = []
    for part in parts {
      segments.append(.bytes(names("--\(boundary)\r\n\(part.head)\r\n")))
      segments += [part.data, .bytes([0x0D, 0x0A])]
    }
    segments.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
    self.segments = segments
    var length: Int64? = 0
    for segment in segments { length = length.flatMap { sum in segment.length.map { sum + $0 } } }
    self.length = length
  }

  /// The whole body; `nil` if a part is a stream.
  package var bytes: [UInt8]? {
    var bytes: [UInt8] = []
    for segment in segments {
      switch segment {
      case .none: break
      case .bytes(let part): bytes += part
      case .stream: return nil
      }
    }
    return bytes
  }

  /// Fills the buffer from the current part; 0 at the end.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    position.withLock { position in
      while position.index < segments.count {
        guard let count = read(segments[position.index], from: position.offset, into: buffer) else {
          return nil
        }
        position.offset += count
        if count > 0 { return count }
        position = Position(index: position.index + 1)
      }
      return 0
    }
  }

  /// Fills the buffer from a part; 0 at its end.
  private func read(
    _ segment: HTTPBody, from offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    switch segment {
    case .none: return 0
    case .bytes(let bytes):
      let count = min(buffer.count, bytes.count - offset)
      buffer.copyBytes(from: bytes[offset..<(offset + count)])
      return count
    case .stream(let source, let length):
      // A file that grows meanwhile must not make the body longer than announced.
      let left = length.map { Int(clamping: $0 - Int64(offset)) } ?? .max
      let space = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left))
      guard let count = space.isEmpty ? 0 : source.read(into: space) else { return nil }
      if count == 0, let length, Int64(offset) < length { return nil }
      return count
    }
  }

  /// The descriptor that the current part waits for.
  public var awaitedDescriptor: Int32? {
    let index = position.withLock(\.index)
    guard index < segments.count, case .stream(let source, _) = segments[index] else { return nil }
    return source.awaitedDescriptor
  }

  /// Starts again; `false` if a part can be read only once.
  public func rewind() -> Bool {
    position.withLock { $0 = Position() }
    for case .stream(let source, _) in segments where !source.rewind() { return false }
    return true
  }
}

extension MultipartBody.Part {
  fileprivate var head: String {
    var head = "Content-Disposition: form-data; name=\"\(name.quotedForForm)\""
    if let fileName { head += "; filename=\"\(fileName.quotedForForm)\"" }
    if let mimeType { head += "\r\nContent-Type: \(mimeType)" }
    return head + "\r\n"
  }
}

extension HTTPBody {
  /// The length; `nil` if it is not known before the end.
  fileprivate var length: Int64? {
    switch self {
    case .none: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .stream(_, let length): length
    }
  }
}

extension String {
  /// A name as browsers and curl write it between quotes.
  fileprivate var quotedForForm: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "%22"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
