import JOSE
import SDKCore

extension Context {
  /// The content of a file with a private key.
  func clientKey(_ file: String) throws -> [UInt8] {
    try secretBytes("client key", option: "client-key", file: file)
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
