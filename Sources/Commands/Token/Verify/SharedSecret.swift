import JOSE
import Primitives

struct SharedSecret {
  let jwk: JWK

  /// Reads the secret: one line of text, or any other bytes as they are.
  ///
  /// A key is refused: whoever has a public key could make tokens with it.
  init(_ file: String, _ context: Context) throws {
    let content = try context.secretBytes("secret", orInput: "--secret-file -", file: file)
    guard content.contains(where: { !$0.isSpace }) else { throw Self.failure("it is empty") }
    let secret = Self.line(content) ?? content
    try Self.refuseKey(content)
    // As consoles of providers show a public key: DER in base64, without the lines of PEM.
    if let der = Base64.decode(secret) { try Self.refuseKey(der) }
    do {
      jwk = try JWK(secret: secret)
    } catch {
      throw Self.failure(error.message)
    }
  }

  private static func refuseKey(_ bytes: [UInt8]) throws {
    let type: String
    do throws(JOSEError) {
      type = try KeyFile(bytes).entries[0].jwk.kty
    } catch {
      // One that cannot be read, such as an encrypted one or that of OpenSSH, is a key as well.
      if error.code == .keyUnsuitable { throw failure("it is a key, not a secret: use --key") }
      return
    }
    throw failure(
      type == "oct" ? "it is a JWK: use --key" : "it is a key (\(type)), not a secret: use --key")
  }

  /// The bytes without a final line break if they are one line of text.
  static func line(_ content: [UInt8]) -> [UInt8]? {
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
