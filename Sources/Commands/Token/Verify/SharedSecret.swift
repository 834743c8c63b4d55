import Arguments
import JOSE
import Primitives

/// Where a shared secret comes from.
struct SecretOptions: Sendable, Hashable {
  var path: String?
  var isBase64 = false

  var onStandardInput: Bool { path == "-" }
}

extension Array {
  /// The options for a shared secret, which exclude the other keys of the set.
  static func sharedSecret<Arguments>(
    _ file: any Option<Arguments>.Path<String?>, isBase64: any Option<Arguments>.Path<Bool>,
    exclusive set: String
  ) -> [Option<Arguments>] where Element == Option<Arguments> {
    [
      .secret("secret", file, "a shared secret (HS256)").exclusive(set),
      .flag("secret-base64", isBase64, "The shared secret is in base64"),
    ]
  }
}

/// The shared secret of a file or of standard input.
struct SharedSecret {
  let jwk: JWK

  /// Reads the secret: one line of text, or any other bytes as they are.
  ///
  /// A key is refused: whoever has a public key could make tokens with it.
  init(_ file: String, isBase64: Bool, _ context: Context) throws {
    let content = try context.secretBytes("secret", file: file)
    guard content.contains(where: { !$0.isSpace }) else { throw Self.failure("it is empty") }
    if let keys = try? KeyFile(content) {
      let type = keys.entries[0].jwk.kty
      throw Self.failure(
        type == "oct" ? "it is a JWK: use --key" : "it is a key (\(type)), not a secret: use --key")
    }
    let bytes = isBase64 ? Self.decoded(content) : Self.line(content) ?? content
    guard let bytes else { throw Self.failure("it is not base64") }
    do {
      jwk = try JWK(secret: bytes)
    } catch {
      throw Self.failure(error.message)
    }
  }

  /// The bytes without a final line break if they are one line of text.
  private static func line(_ content: [UInt8]) -> [UInt8]? {
    var line = content
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
      String(validating: line, as: UTF8.self) != nil
    else { return nil }
    return line
  }

  /// Base64 in either alphabet; line breaks, which `base64` writes, are ignored.
  private static func decoded(_ content: [UInt8]) -> [UInt8]? {
    let digits = content.filter { !$0.isSpace }
    let url = digits.filter { $0 != UInt8(ascii: "=") }
    return Base64.decode(digits) ?? Base64.decode(url, alphabet: .url)
  }

  private static func failure(_ cause: String) -> Failure {
    .usage("could not use the secret: \(cause)")
  }
}
