import OAuth
import Primitives

extension ProfileStore {
  /// The only profile with this issuer; a final slash is ignored.
  ///
  /// Reads every profile; those that cannot be read are skipped.
  ///
  /// - Throws: ``SDKError/Code/noProfile`` when none has that issuer, or more than one.
  public func name(ofIssuer issuer: String) throws(SDKError) -> ProfileName {
    let found = try names(ofIssuer: issuer)
    if let name = found.first, found.count == 1 { return name }
    let action = "could not choose a profile by its issuer"
    guard !found.isEmpty else {
      throw SDKError(.noProfile, "\(action): none has '\(issuer)'", subject: issuer)
    }
    let list = found.map(\.description).joined(separator: ", ")
    throw SDKError(.noProfile, "\(action): several have '\(issuer)': \(list)", subject: issuer)
  }

  /// The names of the profiles that have an issuer; a slash at the end does not matter.
  ///
  /// - Throws: ``SDKError`` if the store cannot be read.
  public func names(ofIssuer issuer: String) throws(SDKError) -> [ProfileName] {
    let wanted = Self.trimmed(issuer)
    return try names().filter { name in
      guard let issuer = (try? profile(name))?.issuer else { return false }
      return sameIdentifier(Self.trimmed(issuer.text), wanted)
    }
  }

  private static func trimmed(_ issuer: String) -> String {
    issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
  }
}
