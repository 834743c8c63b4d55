package import OpenSSL

extension Certificate {
  /// The most specific common name of its subject.
  package var commonName: String? {
    subject.split(separator: ",").first { $0.hasPrefix("CN=") }.map { String($0.dropFirst(3)) }
  }
}
