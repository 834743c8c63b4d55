import JSON

/// A change of one setting of a profile.
public struct SettingChange: Sendable, Hashable {
  /// What a change does to what is protected.
  public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// Less is protected or checked than before.
    case weaker
    /// Credentials or trust go to somebody else than before.
    case elsewhere
    /// A program, a module, a file or a device of this machine is used.
    case local
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
    let servers = ProfileServers(of: self, changedTo: new)
    return settings.keys.compactMap { key in
      let (before, after) = (self[key.name], new[key.name])
      guard before != after else { return nil }
      return SettingChange(
        key: key.name, old: before.map { key.text(of: $0) }, new: after.map { key.text(of: $0) },
        effect: usual.contains(key.name) ? nil : key.effect(before, after, servers))
    }
  }
}
