import OpenSSL
import POSIX
import Pinning
import Primitives
import SDKCore

/// The files of a configuration: a document, and certificates beside it.
struct ConfigurationFolder {
  let config: [UInt8]
  /// The certificates, each with the name of its file.
  let certificates: [(name: String, certificate: Certificate)]
  /// Whether it is a whole export, which has certificates.
  let isComplete: Bool

  /// A document that stands alone.
  init(config: [UInt8]) {
    (self.config, certificates, isComplete) = (config, [], false)
  }

  /// The files of an export, by their paths.
  init(_ files: [String: [UInt8]]) throws(SDKError) {
    guard let config = files["config.json"] else {
      throw AppConfiguration.failure("it has no config.json")
    }
    var certificates: [(name: String, certificate: Certificate)] = []
    for (name, bytes) in files.sorted(by: { $0.key < $1.key })
    where name.hasPrefix(Self.folder + "/") {
      guard let found = try? Certificate.list(pem: bytes), !found.isEmpty else {
        throw AppConfiguration.failure("'\(name)' is not a certificate in PEM")
      }
      certificates += found.map { (name, $0) }
    }
    guard !certificates.isEmpty else {
      throw AppConfiguration.failure("it has no certificates, so its hosts could not be pinned")
    }
    (self.config, self.certificates, isComplete) = (config, certificates, true)
  }

  /// The files of a folder of the file system; others than those of a configuration are not read.
  static func files(in path: String) throws(DocumentError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try reading({ () throws(SystemError) in try names(in: path) }) {
      let file = "\(path)/\(name)"
      let status = try reading { () throws(SystemError) in
        try FileStatus.of(file, followLinks: false)
      }
      guard status.kind == .file else {
        throw DocumentError(cause: "'\(name)' is not a regular file")
      }
      files[name] = try reading { () throws(SystemError) in
        try FileReader.read(file, limit: ProfileDocument.maximumSize)
      }
      guard files.count <= maximumCount else {
        throw DocumentError(cause: "it has more than \(maximumCount) files")
      }
    }
    return files
  }

  private static func names(in path: String) throws(SystemError) -> [String] {
    let names = try Directory.entries(path)
    let inner = names.contains(folder) ? try Directory.entries("\(path)/\(folder)") : []
    return names.filter { $0 == "config.json" } + inner.map { "\(folder)/\($0)" }
  }

  private static func reading<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(DocumentError) -> Value {
    do throws(SystemError) { return try body() } catch { throw DocumentError(cause: "\(error)") }
  }

  private static let folder = "certificates"
  private static let maximumCount = 256
}

extension PinnedKey {
  init(of certificate: Certificate) {
    self.init(
      pin: Pin(of: certificate), role: PinRole(of: certificate), label: certificate.subject,
      notAfter: certificate.notAfter,
      keyType: (try? certificate.publicKey)?.kind.description)
  }
}
