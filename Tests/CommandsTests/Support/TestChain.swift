import CoreTestSupport

@testable import SDKCore

/// Chains that hosts show in these tests.
enum TestChain {
  /// The pin of a key that is made of its name.
  static func pin(_ key: String) -> Pin { Pin(key: Array(key.utf8)) }

  static func certificate(_ name: String) -> CertificateDetails {
    certificate(name, issuerAddress: nil)
  }

  static func certificate(_ name: String, issuerAddress: String?) -> CertificateDetails {
    CertificateDetails(
      subject: "CN=\(name)", issuer: "CN=issuer", issuerAddress: issuerAddress,
      notBefore: TestProgram.now - 86400,
      notAfter: TestProgram.now + 86400, pin: pin(name))
  }

  /// A chain whose certificate has the hash of `fingerprint`, which is not a pin.
  static var hashed: PresentedChain {
    let leaf = CertificateDetails(
      subject: "CN=hashed", issuer: "CN=issuer", notBefore: TestProgram.now - 86400,
      notAfter: TestProgram.now + 86400, pin: pin("hashed"),
      fingerprint: pin("fingerprint").sha256)
    let path = [leaf, certificate("root")]
    return PresentedChain(served: [leaf], validated: path)
  }
}

extension PresentedChain {
  /// A chain of three that is trusted.
  static func trusted(_ host: String, leaf: String? = nil) -> PresentedChain {
    let path = [leaf ?? "\(host) leaf", "issuing", "root"].map(TestChain.certificate)
    return PresentedChain(served: Array(path.dropLast()), validated: path)
  }

  /// A chain that is not trusted.
  static func untrusted(_ host: String) -> PresentedChain {
    PresentedChain(
      served: [TestChain.certificate("\(host) leaf")], validated: [],
      verificationError: "self-signed certificate", lacksAuthority: true)
  }

  /// A certificate without that of its issuer, which is published at an address.
  static func incomplete(_ host: String, published address: String?) -> PresentedChain {
    let leaf = TestChain.certificate("\(host) leaf", issuerAddress: address)
    return PresentedChain(
      served: [leaf], validated: [], verificationError: "the certificate's issuer is not trusted",
      lacksAuthority: true)
  }

  /// A chain of a trusted authority, for another host.
  static func ofAnotherHost(_ host: String) -> PresentedChain {
    PresentedChain(
      served: [TestChain.certificate("\(host) leaf")], validated: [],
      verificationError: "the certificate is for other.test, not \(host)")
  }

  /// A chain that is trusted, of a server that also sends a certificate of nobody, but not the root.
  static var withStranger: PresentedChain {
    let path = ["leaf", "issuing", "root"].map(TestChain.certificate)
    return PresentedChain(
      served: path.dropLast() + [TestChain.certificate("stranger")], validated: path)
  }
}
