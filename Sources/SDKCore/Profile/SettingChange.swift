import HTTP
import JSON
import Pinning

/// A change of one setting of a profile.
public struct SettingChange: Sendable, Hashable {
  /// What a change does to what is protected.
  public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// Less is protected or checked than before.
    case weaker
    /// Secrets, tokens or trust go to another place than before, or a program is run.
    case elsewhere
  }

  /// The key.
  public let key: String
  /// The value before, as it is typed; `nil` if there was none.
  public let old: String?
  /// The value after, as it is typed; `nil` if there is none.
  public let new: String?
  /// What should be agreed to; `nil` if there is nothing.
  public let effect: Effect?
}

extension Profile {
  /// The settings that differ in another version of the profile, in the order of the table of keys.
  ///
  /// - Parameters:
  ///   - new: the other version.
  ///   - usual: the keys whose new values are those that a provider needs: they have no effect to agree to.
  /// - Returns: the changes.
  public func changes(to new: Profile, usual: Set<String> = []) -> [SettingChange] {
    ProfileKey.all.compactMap { key in
      let (before, after) = (self[key.name], new[key.name])
      guard before != after else { return nil }
      return SettingChange(
        key: key.name, old: before.map { key.text(of: $0) }, new: after.map { key.text(of: $0) },
        effect: usual.contains(key.name) ? nil : effect(of: key, after, new))
    }
  }

  private func effect(
    of key: ProfileKey, _ value: JSON?, _ new: Profile
  ) -> SettingChange.Effect? {
    isWeaker(key.name, new) ? .weaker : leadsElsewhere(key, value) ? .elsewhere : nil
  }

  private func isWeaker(_ key: String, _ new: Profile) -> Bool {
    switch key {
    case "pinPolicy": return self.pinPolicy == .enforce && new.pinPolicy == .report
    case "dpop": return Self.strength(of: new.dpop) < Self.strength(of: self.dpop)
    case "fido.pinMinimumLength": return new.fidoPINMinimum < self.fidoPINMinimum
    case "fido.pinAttempts": return new.fidoPINAttempts > self.fidoPINAttempts
    case "seal.pinMinimumLength": return new.sealPINMinimum < self.sealPINMinimum
    case "seal.pinAttempts": return new.sealPINAttempts > self.sealPINAttempts
    case "seal.slots": return !Set(self.sealSlots).isSubset(of: new.sealSlots)
    default:
      guard let flag = Self.protections.first(where: { $0.key == key }) else { return false }
      let usual = Self.usualFlag(key)
      return (self[key]?.bool ?? usual) == flag.protects
        && (new[key]?.bool ?? usual) != flag.protects
    }
  }

  private static func strength(of dpop: String?) -> Int {
    ["off", "on", "required"].firstIndex(of: dpop ?? "off") ?? 0
  }

  private func leadsElsewhere(_ key: ProfileKey, _ new: JSON?) -> Bool {
    // What a new profile says replaces nothing, but the program would be run.
    if key.name == "identity.command" { return new != nil }
    // A file with a secret would be read, and sent.
    if key.name == "tokenParameters", let text = new?.string,
      let parameters = [TokenParameter](encoded: text), !parameters.secretNames.isEmpty
    {
      return true
    }
    guard !members.isEmpty else { return false }
    switch key.name {
    case "allowedHosts", "form.hosts":
      let old = self[key.name]?.strings ?? []
      return (new?.strings ?? []).contains { !old.contains($0) }
    case "caFile", "extraCAFile", "proxy": return true
    default: return self[key.name] != nil && (key.isURL || Self.destinations.contains(key.name))
    }
  }

  /// The flags that protect, with the value that protects.
  static let protections: [(key: String, protects: Bool)] = [
    ("pkce", true), ("par", true), ("jar", true), ("debugDetection", true),
    ("tamperingProtection", true), ("rootDetection", true), ("emulationDetection", true),
    ("payloadEncryption", true), ("insecureLoopback", false), ("passwordGrant", false),
    ("narrowedRefresh", false), ("fido.noVerification", false), ("fido.pinSequences", false),
    ("seal.pinSequences", false), ("clientValidation", true),
  ]

  /// The value of a flag that a profile does not set.
  static func usualFlag(_ key: String) -> Bool { ProfileKey.named(key)?.defaultText == "true" }

  /// What names a place or a key that gets something, and is not a URL by its type.
  private static let destinations: Set = [
    "redirectURI", "clientID", "pinUpdateKey", "serverPublicKey", "identity.profile",
    "identity.token", "identity.passwordFile", "form.passwordFile", "fido.pinFile",
    "libraryDirectories",
  ]
}
