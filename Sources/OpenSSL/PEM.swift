internal import COpenSSL
internal import Primitives

/// One block of a PEM document (RFC 7468, and the headers of RFC 1421 before it).
package struct PEMBlock: Sendable, Hashable {
  /// The text between `-----BEGIN ` and `-----`.
  package let label: String
  /// The headers, each on a line; empty if there are none.
  let headers: String
  /// The decoded content.
  package let bytes: [UInt8]
  /// Its number in the document and the line where it begins, for errors.
  let place: String

  /// Whether the content is encrypted under a passphrase.
  package var isEncrypted: Bool {
    label == "ENCRYPTED PRIVATE KEY" || headers.containsText("ENCRYPTED")
  }
}

package enum PEM {
  /// Whether the bytes look like PEM rather than DER.
  package static func isLikely(_ bytes: [UInt8]) -> Bool {
    let mark = Array("-----BEGIN ".utf8)
    guard bytes.count >= mark.count else { return false }
    return (0...(bytes.count - mark.count)).contains { start in
      bytes[start] == mark[0] && bytes[start..<(start + mark.count)].elementsEqual(mark)
    }
  }

  /// All blocks in their order; text between them is ignored.
  ///
  /// Decrypts nothing, therefore never asks for a passphrase.
  package static func blocks(_ bytes: [UInt8]) throws(CryptoError) -> [PEMBlock] {
    let input = try MemoryBIO(for: "read the PEM text")
    guard input.write(bytes) else { throw CryptoError(draining: "read the PEM text") }
    var blocks: [PEMBlock] = []
    let lines = firstLines(of: bytes)
    func place() -> String {
      let line = lines.indices.contains(blocks.count) ? "line \(lines[blocks.count]), " : ""
      return "\(line)number \(blocks.count + 1)"
    }
    while let block = next(from: input, at: place()) { blocks.append(block) }
    let code = crypto.ERR_peek_last_error()
    let reasons = ErrorQueue.drain()
    guard ERR_GET_REASON(code) == PEM_R_NO_START_LINE else {
      throw CryptoError(
        "read the PEM text",
        reasons: ["its block at \(place()), is damaged: \(reasons.joined(separator: ", "))"])
    }
    return blocks
  }

  /// The numbers of the lines at which libcrypto finds the beginning of a block.
  private static func firstLines(of bytes: [UInt8]) -> [Int] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let (start, end) = (Array("-----BEGIN ".utf8), Array("-----".utf8))
    return lines.enumerated().compactMap { index, line in
      guard line.starts(with: start) else { return nil }
      let text = line.prefix(through: line.lastIndex { $0 > 0x20 } ?? line.startIndex)
      return text.suffix(end.count).elementsEqual(end) ? index + 1 : nil
    }
  }

  /// Encodes one block.
  package static func encode(_ bytes: [UInt8], label: String, headers: String = "") -> String {
    var text = "-----BEGIN \(label)-----\n" + (headers.isEmpty ? "" : headers + "\n")
    let digits = Array(Base64.encode(bytes).utf8)
    for start in stride(from: 0, to: digits.count, by: 64) {
      text += String(decoding: digits[start..<min(start + 64, digits.count)], as: UTF8.self)
      text += "\n"
    }
    return text + "-----END \(label)-----\n"
  }

  private static func next(
    from input: borrowing MemoryBIO, at place: @autoclosure () -> String
  ) -> PEMBlock? {
    var name: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var data: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard crypto.PEM_read_bio(input.raw, &name, &header, &data, &count) == 1 else { return nil }
    defer {
      copenssl_free(name)
      copenssl_free(header)
      copenssl_clear_free(data, count)
    }
    guard let name, let header else { return nil }
    let label = String(cString: name)
    return PEMBlock(
      label: label, headers: String(cString: header),
      bytes: Array(UnsafeBufferPointer(start: data, count: count)), place: place())
  }
}
