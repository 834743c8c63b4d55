/// A resource of any size, streamed: byte number i is i modulo 251.
extension Routes {
  mutating func addBytes() {
    get("/resources/bytes/:count", .resources) { exchange in
      guard let count = exchange.parameters.get("count").flatMap({ Int($0) }),
        (0...(1 << 36)).contains(count)
      else { throw OAuthError.invalidRequest("the count must be 0 to 68719476736") }
      var headers: Fields = [
        .contentType: "application/octet-stream", .acceptRanges: "bytes",
        .eTag: "\"bytes-\(count)\"", .cacheControl: "no-store",
      ]
      guard let wanted = exchange.request.headers[.range] else {
        return Response(status: .ok, headers: headers, body: pattern(0..<count))
      }
      guard let range = range(wanted, of: count) else {
        headers[.contentRange] = "bytes */\(count)"
        return Response(status: .rangeNotSatisfiable, headers: headers)
      }
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
      return Response(status: .partialContent, headers: headers, body: pattern(range))
    }
  }
}

/// One range of RFC 9110 section 14.1.2: `bytes=a-b`, `bytes=a-` or `bytes=-n`.
private func range(_ text: String, of count: Int) -> Range<Int>? {
  guard text.hasPrefix("bytes=") else { return nil }
  let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
  guard ends.count == 2 else { return nil }
  if ends[0].isEmpty {
    guard let last = Int(ends[1]), last > 0, count > 0 else { return nil }
    return max(0, count - last)..<count
  }
  guard let first = Int(ends[0]), first < count else { return nil }
  guard !ends[1].isEmpty else { return first..<count }
  guard let last = Int(ends[1]), last >= first else { return nil }
  return first..<min(last, count - 1) + 1
}

/// The bytes of a range.
private func pattern(_ range: Range<Int>) -> Response.Body {
  let period = 251
  let block = (0..<period * 261).map { UInt8($0 % period) }
  return .stream(length: range.count) { offset, buffer in
    let position = range.lowerBound + offset
    let start = position % period
    let count = min(buffer.count, range.upperBound - position, block.count - start)
    block[start..<start + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
    return count
  }
}
