import JOSE
import POSIX
import SDKCore

extension Context {
  /// A private key in PEM, from a file that nobody else may read.
  func privateKey(_ file: String) throws -> SigningKey {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileReader.readSecretFile(file, limit: 1 << 16)
    } catch {
      throw Failure.unreadableSecret("client key", error)
    }
    do {
      return try SigningKey(pem: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure.usage("could not use the client key: \(error.message)")
    }
  }

  /// A software statement: a JWT, and no secret.
  func softwareStatement(_ file: String) throws -> String {
    var bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileReader.read(file, limit: 1 << 16)
    } catch {
      throw Failure.unreadable("the software statement", error)
    }
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
