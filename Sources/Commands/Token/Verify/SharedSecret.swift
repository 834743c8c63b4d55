import JOSE
import Primitives

/// The shared secret of a file or of standard input.
struct SharedSecret {
  let jwk: JWK

  /// Reads the secret: one line of text, or any other bytes as they are.
  ///
  /// A key is refused: whoever has a public key could make tokens with it.
  init(_ file: String, _ context: Context) throws {
    let content = try context.secretBytes("secret", file: file)
    guard content.contains(where: { !$0.isSpace }) else { throw Self.failure("it is empty") }
    if let keys = try? KeyFile(content) {
      let type = keys.entries[0].jwk.kty
      throw Self.failure(
        type == "oct" ? "it is a JWK: use --key" : "it is a key (\(type)), not a secret: use --key")
    }
    do {
      jwk = try JWK(secret: Self.line(content) ?? content)
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

  private static func failure(_ cause: String) -> Failure {
    .usage("could not use the secret: \(cause)")
  }
}
