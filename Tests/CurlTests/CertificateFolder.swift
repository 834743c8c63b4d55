import Foundation
import OpenSSL
import Pinning
import TestSupport

/// Certificates made for one run: a root, its intermediate, leaves, and strangers.
struct CertificateFolder: Sendable {
  /// Made by the first test that asks.
  static let shared = Result { try CertificateFolder() }

  static func made() throws -> CertificateFolder { try shared.get() }

  private let folder: TemporaryFolder

  var path: String { folder.path }

  func file(_ name: String) -> String { folder.file(name) }

  /// The certificates of a PEM file.
  func certificates(_ name: String) throws -> [Certificate] {
    try Certificate.list(pem: Array(Data(contentsOf: URL(fileURLWithPath: file(name)))))
  }

  /// The pin of the first certificate of a PEM file.
  func pin(_ name: String) throws -> Pin {
    let certificates = try certificates(name)
    return Pin(of: try #require(certificates.first))
  }

  private init() throws {
    folder = try TemporaryFolder()
    let process = try ChildProcess("sh", [script], folder: folder.path)
    _ = process.readToEnd()
    guard process.waitUntilExit().isSuccess else { throw CocoaError(.executableLoad) }
  }
}

private let script = Repository.path + "/Tests/Servers/loopback_certificates.sh"
