import Curl
import OpenSSL
import POSIX
import Pinning
import Primitives
import SDKCore

/// Checks that there are authorities that can be trusted.
struct AuthorityHealth: Sendable {
  /// The file or directory; `nil` for the choice of libcurl.
  let path: String?
  let now: Timestamp

  init(_ options: ConnectionOptions, at now: Timestamp) {
    let settings = TransportSettings(nil, .init())
    self.init(settings.caFile(options) ?? settings.caDirectory(options), at: now)
  }

  init(_ path: String?, at now: Timestamp) {
    (self.path, self.now) = (path, now)
  }

  func finding() -> Finding {
    guard let path else {
      let places = (try? CurlTransport.defaultAuthorities()) ?? []
      guard let place = places.first(where: { FileStatus.exists($0) }) else {
        return Finding(.authorities, .error, "no trusted authorities are known")
      }
      return Finding(.authorities, .ok, "libcurl trusts these authorities", about: place)
    }
    do throws(SystemError) {
      let isDirectory = try FileStatus.of(path).kind == .directory
      if isDirectory { return inDirectory(path) }
      return inFile(path, try FileReader.read(path, limit: 16 << 20))
    } catch {
      return Finding(.authorities, .error, "it cannot be read: \(error.message)", about: path)
    }
  }

  private func inDirectory(_ path: String) -> Finding {
    guard Directory.contains(path, where: SystemAuthorities.isHashed) else {
      return Finding(
        .authorities, .error, "it has no authorities with the names that `openssl rehash` makes",
        about: path)
    }
    return Finding(.authorities, .ok, "a directory of authorities", about: path)
  }

  private func inFile(_ path: String, _ bytes: [UInt8]) -> Finding {
    let certificates: [Certificate]
    do throws(CryptoError) {
      certificates = try Certificate.list(pem: bytes, linesOnly: true)
    } catch {
      return Finding(
        .authorities, .error, error.reasons.joined(separator: ", "), about: path)
    }
    guard !certificates.isEmpty else {
      return Finding(.authorities, .error, "it has no certificate in PEM", about: path)
    }
    let count = certificates.count.counted("certificate")
    guard certificates.contains(where: { $0.notBefore <= now && now <= $0.notAfter }) else {
      return Finding(.authorities, .error, "none of its \(count) is valid now", about: path)
    }
    return Finding(.authorities, .ok, "a file with \(count)", about: path)
  }
}
