import Curl
import POSIX
import Primitives

/// Files of authorities that a person names.
public enum TrustedAuthorities {
  /// Requires that a PEM file has certificates, and no damaged one.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, with the line of the damaged certificate.
  public static func require(in path: String) throws(SDKError) {
    try attempt("could not trust the authorities") { _ = try AuthorityFile(path) }
  }
}

/// The system's directory of authorities, in which a certificate is found by its subject's hash.
///
/// To look one up there costs a fraction of reading the bundle of all of them.
package enum SystemAuthorities {
  /// Where systems have one: Debian and most others, then Fedora and its relatives.
  static let places = ["/etc/ssl/certs", "/etc/pki/ca-trust/extracted/pem/directory-hash"]

  /// The first place with hashed names; `nil` leaves the choice to libcurl.
  static func directory(among places: [String] = places) -> String? {
    places.first { Directory.contains($0, where: isHashed) }
  }

  /// Whether `openssl rehash` gives such names: eight hexadecimal digits, a dot, a number.
  package static func isHashed(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.count >= 10 && bytes[8] == UInt8(ascii: ".")
      && bytes[..<8].allSatisfy { $0.hexValue != nil && !$0.isUpperLetter }
      && bytes[9...].allSatisfy(\.isDigit)
  }
}
