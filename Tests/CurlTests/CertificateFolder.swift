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
    let process = try ChildProcess("sh", ["-euc", script], folder: folder.path)
    _ = process.readToEnd()
    guard process.waitUntilExit().isSuccess else { throw CocoaError(.executableLoad) }
    atexit(removeFolder)
  }
}

private func removeFolder() {
  guard case .success(let folder) = CertificateFolder.shared else { return }
  try? FileManager.default.removeItem(atPath: folder.path)
}

/// Every leaf is for localhost and 127.0.0.1 unless its name says otherwise.
private let script = """
  cat > ca.cnf <<END
  [ca]
  default_ca = own
  [own]
  database = index
  serial = serial
  new_certs_dir = .
  default_md = sha256
  policy = any
  unique_subject = no
  copy_extensions = copy
  [any]
  commonName = supplied
  [authority]
  basicConstraints = critical,CA:TRUE
  subjectKeyIdentifier = hash
  [leaf]
  basicConstraints = CA:FALSE
  END
  : > index; echo 1000 > serial
  request() {
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \\
      -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" -addext "subjectAltName=$3"
  }
  sign() {
    openssl ca -batch -notext -config ca.cnf -extensions "$3" -startdate "$4" -enddate "$5" \\
      -in "$1.csr" -out "$6" -cert "$2.pem" -keyfile "$2.key"
  }
  root() {
    openssl req -x509 -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30000 \\
      -keyout "$1.key" -out "$1.pem" -subj "/CN=$2"
  }
  early=20200101000000Z late=20991231000000Z
  root root "Test Root"; root stranger "Test Stranger"
  request issuer "Test Issuer" DNS:issuer.invalid
  sign issuer root authority $early $late issuer.pem
  sign issuer stranger authority $early $late cross.pem
  own=DNS:localhost,IP:127.0.0.1
  for name in leaf expired future untrusted client second; do request $name localhost $own; done
  request mail localhost email:localhost@localhost
  openssl req -new -key mail.key -out nameless.csr -subj /CN=localhost
  request other other.example DNS:other.example,DNS:www.other.example
  request address localhost DNS:127.0.0.1
  sign leaf issuer leaf $early $late leaf.pem
  sign expired issuer leaf $early 20260101000000Z expired.pem
  sign future issuer leaf 20980101000000Z $late future.pem
  sign untrusted stranger leaf $early $late untrusted.pem
  for name in client second; do sign $name issuer leaf $early $late $name.pem; done
  for name in other mail nameless address; do sign $name issuer leaf $early $late $name.pem; done
  cp mail.key nameless.key
  for name in leaf expired future other client second mail nameless address; do cat $name.pem issuer.pem > $name-chain.pem; done
  cat leaf.pem issuer.pem cross.pem stranger.pem > padded-chain.pem
  cp untrusted.pem untrusted-chain.pem
  { echo note; sed '2s/M/*/' root.pem; } > damaged.pem
  for name in leaf padded; do cp leaf.key $name-chain.key 2>/dev/null; done
  for name in expired future other untrusted mail nameless address; do cp $name.key $name-chain.key; done
  """
