package import HTTP
package import OpenSSL
import POSIX
import Primitives

/// A file of trusted authorities.
package struct AuthorityFile: Sendable {
  package let certificates: [Certificate]

  /// Reads a PEM file.
  ///
  /// - Throws: ``TransportError`` with the code `caFile`, which names the first damaged certificate: OpenSSL
  ///   trusts none of a file that has one.
  package init(_ path: String) throws(TransportError) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try FileReader.read(path, limit: 16 << 20) } catch {
      throw Self.unusable(path, error.message)
    }
    do throws(CryptoError) { certificates = try Certificate.list(pem: bytes) } catch {
      throw Self.unusable(path, error.reasons.joined(separator: ", "))
    }
    if certificates.isEmpty { throw Self.unusable(path, "it has no certificate in PEM") }
  }

  private static func unusable(_ path: String, _ cause: String) -> TransportError {
    TransportError(.caFile, "the CA file \(VisibleText.of(path)) cannot be used: \(cause)")
  }
}
