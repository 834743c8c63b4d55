import OpenSSL
import POSIX
public import Pinning
import Primitives

/// A key for the next rotation, with its certificate request.
public struct BackupKey: Sendable, Hashable {
  /// The host that it is for.
  public let host: String
  /// The servers whose pins it has joined.
  public let pattern: PinPattern
  /// The pin of the key.
  public let pin: Pin
  /// The file of the private key, PKCS #8 in PEM, mode 0600.
  public let keyFile: String
  /// The file of the certificate request, PEM.
  public let requestFile: String
}

extension PinService {
  /// Makes a key and a certificate request for a host, and pins the key as a backup.
  ///
  /// The files are written first, with mode 0600; then the key joins the pins that decide about the
  /// server. Pins of its own would decide in their place, and refuse it.
  ///
  /// - Throws: ``SDKError``: `invalidRequest` for what is not a host name, and for a host that has pins
  ///   for other ports only; `store` if a file cannot be written.
  public func makeBackupKey(
    for host: String, port: UInt16 = 443, type: PrivateKeyType = .p256, directory: String? = nil
  ) async throws(SDKError) -> BackupKey {
    guard let host = HostName.normalized(host) else {
      throw SDKError(.invalidRequest, "could not make a backup key: '\(host)' is not a host name")
    }
    let pattern = try backupPattern(of: host, port: port)
    let material = try attempt("could not make a backup key") {
      let key = try PrivateKey.generate(type.kind)
      return (
        pin: try Pin(spki: key.publicKey.spki), key: key.pem,
        request: PEM.encode(try request(for: host, by: key), label: "CERTIFICATE REQUEST")
      )
    }
    // The first digits of the digest tell several backup keys of a host apart.
    let name = "\(host)-\(Hex.encode(Array(material.pin.sha256.prefix(4))))"
    let keyFile = try write(material.key, to: name + ".key", in: directory)
    let requestFile = try write(material.request, to: name + ".csr", in: directory)
    let pinned = PinnedKey(
      pin: material.pin, role: .backup, label: name + ".csr", added: environment.now(),
      origin: PinOrigin(.backup, name + ".key"), keyType: type.kind.description)
    try await add([pinned], to: pattern.description)
    return BackupKey(
      host: host, pattern: pattern, pin: material.pin, keyFile: keyFile, requestFile: requestFile)
  }

  /// The pattern of the set that decides about a server; for a host without pins its own.
  private func backupPattern(of host: String, port: UInt16) throws(SDKError) -> PinPattern {
    if let deciding = pins.set(for: host, port: port) { return deciding.pattern }
    let others = pins.sets.map(\.pattern).filter { $0.coversName(host) && !$0.isProxy }
    guard others.isEmpty, let own = PinEndpoint(host: host, port: port).pattern else {
      let names = others.map(\.description).joined(separator: ", ")
      throw SDKError(
        .invalidRequest, "could not make a backup key: of \(host) there are only pins for \(names)")
    }
    return own
  }

  private func write(
    _ text: String, to name: String, in directory: String?
  ) throws(SDKError) -> String {
    let own = environment.location.stateFile("profiles/\(profile.name)/backup-keys/\(name)")
    let path = directory.map { "\($0)/\(name)" } ?? own.text
    try attempt("could not write the backup key '\(path)'", as: .store) {
      if directory == nil {
        try Directory.create(own.directory, mode: 0o700)
        try own.requireTrusted(.secret)
      }
      try AtomicFile.write(Array(text.utf8), to: path, mode: 0o600)
    }
    return path
  }
}

private func request(for host: String, by key: PrivateKey) throws(CryptoError) -> [UInt8] {
  // X.520 allows a common name of 64 characters; the alternative name is what counts.
  let name = String(host.prefix(64))
  var content = CertificateRequestContent(subject: SubjectName(commonName: name))
  content.isForClient = false
  if HostName.isAddress(host) { content.ipAddresses = [host] } else { content.dnsNames = [host] }
  return try CertificateRequest.make(content, signedBy: key)
}
