import JSON
import OpenSSL

/// What the user confirms (dictionary `Transaction`).
public struct UAFTransaction: Sendable, Hashable {
  /// What the content is.
  public enum Content: Sendable, Hashable {
    /// `text/plain`: a text to show; it may have control characters.
    case text(String)
    /// `image/png`: the bytes of an image.
    case png([UInt8])
  }

  /// The content, decoded.
  public let content: Content
  /// The bytes of the content, of which the authenticator signs the hash.
  package let bytes: [UInt8]

  /// Makes a transaction of a text.
  package init(text: String) {
    content = .text(text)
    bytes = Array(text.utf8)
  }

  /// Reads a transaction.
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/invalidTransactionContent`` for a content of
  ///   another type, or one that is not what its type says.
  init(_ value: JSON) throws(UAFError) {
    let reader = try MessageReader(value, "the transaction")
    let type = try reader.text("contentType", atMost: 100)
    bytes = try reader.bytes("content", count: Limits.transactionContent).bytes
    switch type {
    case "text/plain":
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw UAFError(.invalidTransactionContent, "the text of the transaction is not UTF-8")
      }
      // What is signed must be seen: of a longer one, a part could be beyond the edge of the screen.
      guard text.utf16.count <= Limits.transactionText else {
        throw UAFError(
          .invalidTransactionContent,
          "the text of the transaction is longer than \(Limits.transactionText) characters")
      }
      content = .text(text)
    case "image/png":
      guard bytes.starts(with: Self.signature) else {
        throw UAFError(.invalidTransactionContent, "the image of the transaction is not PNG")
      }
      content = .png(bytes)
    default:
      throw UAFError(
        .invalidTransactionContent, "the transaction is neither 'text/plain' nor 'image/png'")
    }
  }

  /// SHA-256 of the content.
  package var hash: [UInt8] {
    get throws(CryptoError) { try Digest.sha256(bytes) }
  }

  /// The first bytes of every PNG image (RFC 2083 section 3.1).
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}
