import JOSE
import SDKCore

extension Context {
  /// A private key in PEM, from a file.
  func privateKey(_ file: String) throws -> SigningKey {
    try signingKey(try secretBytes("client key", option: "client-key", file: file))
  }

  /// A private key in PEM.
  func signingKey(_ bytes: [UInt8]) throws -> SigningKey {
    do {
      return try SigningKey(pem: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure.usage("could not use the client key: \(error.message)")
    }
  }

  /// A software statement: a JWT, and no secret.
  func softwareStatement(_ file: String) throws -> String {
    var bytes = try read(file, "the software statement", limit: 1 << 16)
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      _ = try JWT(text)
    } catch {
      throw Failure.usage("could not use the software statement: \(error.message)")
    }
    return text
  }
}
