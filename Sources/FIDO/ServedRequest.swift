import HTTP
import OpenSSL
import Primitives
import SDKCore
import UAF

/// A request of a FIDO server, with what is known of the connection on which it came.
struct ServedRequest: Sendable {
  /// The message.
  let text: String
  let channelBinding: ChannelBinding
}

extension ChannelBinding {
  /// The binding to the certificate of the server (`tls-server-end-point`, RFC 5929 section 4).
  ///
  /// It is absent on a connection that was open before, which does not show the certificate again, and
  /// for signatures without one digest, for which RFC 5929 defines none.
  init(of response: HTTPResponse) {
    self.init()
    func value(_ name: String) -> String? {
      response.certificates.first?.first { $0.hasPrefix("\(name):") }.map {
        String($0.dropFirst(name.count + 1))
      }
    }
    guard let algorithm = value("Signature Algorithm").flatMap(Self.digest),
      let pem = value("Cert"),
      let certificate = try? Certificate.list(pem: Array(pem.utf8)).first
    else { return }
    serverEndPoint = try? Digest.hash(certificate.der, with: algorithm)
  }

  /// The digest of a signature, with SHA-256 in place of weaker ones; `nil` if there is not exactly one.
  private static func digest(ofSignature name: String) -> DigestAlgorithm? {
    let name = name.asciiLowercased
    if name.containsText("sha384") { return .sha384 }
    if name.containsText("sha512") { return .sha512 }
    return ["sha256", "sha1", "md5"].contains(where: name.containsText) ? .sha256 : nil
  }
}
