package import HTTP
import JSON
import OAuth
package import Pinning
import Primitives

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

/// What a change of a setting does: a required part of its row.
///
/// A function of the former value, the new value and the servers of the profile; a value that is not set is `nil` or
/// the default.
package struct ChangeRule<Value: Sendable>: Sendable {
  package typealias Effect = SettingChange.Effect

  let effect: @Sendable (_ old: Value, _ new: Value, _ servers: ProfileServers) -> Effect?
  /// Whether a client that was registered from here can do what a value needs; `nil` if a registration does not tell
  /// the server the setting.
  var isRegistered: (@Sendable (_ value: Value, _ client: JSONObject) -> Bool)?

  package init(
    _ effect: @escaping @Sendable (_ old: Value, _ new: Value, _ servers: ProfileServers) -> Effect?
  ) {
    self.effect = effect
  }

  /// The rule of a setting that a registration tells the server.
  func registered(
    _ isRegistered: @escaping @Sendable (_ value: Value, _ client: JSONObject) -> Bool
  ) -> ChangeRule {
    var rule = self
    rule.isRegistered = isRegistered
    return rule
  }

  /// A change needs no consent of its own.
  package static var harmless: ChangeRule { ChangeRule { _, _, _ in nil } }

  /// A value names a program, a module, a file or a device of this machine.
  package static var local: ChangeRule { ChangeRule { _, _, _ in .local } }

  /// A value gives trust or a credential to somebody else, whatever the profile had before.
  package static var elsewhere: ChangeRule { ChangeRule { _, _, _ in .elsewhere } }

  /// A value says what the profile is for: only a profile that has no server yet takes it without consent.
  package static var destination: ChangeRule {
    ChangeRule { _, _, servers in servers.areNew ? nil : .elsewhere }
  }

  fileprivate static func weaker(
    _ isWeaker: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
  ) -> ChangeRule {
    ChangeRule { old, new, _ in isWeaker(old, new) ? .weaker : nil }
  }
}

extension ChangeRule<Bool> {
  /// A flag that protects if it is true.
  package static var protects: Self { weaker { $0 && !$1 } }
  /// A flag that protects if it is false.
  package static var exposes: Self { weaker { !$0 && $1 } }
}

extension ChangeRule<String?> {
  /// A scope, which the client may be limited to.
  static var registeredScope: Self {
    harmless.registered { scope, client in
      guard let registered = client["scope"]?.string?.words else { return true }
      return Set(scope?.words ?? []).isSubset(of: registered)
    }
  }
}

extension ChangeRule where Value: Comparable {
  /// A smaller value protects less.
  package static var lower: Self { weaker { $1 < $0 } }
  /// A greater value protects less.
  package static var higher: Self { weaker { $1 > $0 } }
}

extension ChangeRule where Value: Sequence, Value.Element: Hashable {
  /// Fewer words protect less.
  package static var fewer: Self { weaker { !Set($0).isSubset(of: $1) } }
}

extension ChangeRule<[String]> {
  /// Any further word leads elsewhere.
  static var added: Self {
    ChangeRule { old, new, _ in Set(new).isSubset(of: old) ? nil : .elsewhere }
  }
  /// A host that is neither in the list yet nor a server of the profile gets credentials.
  package static var hosts: Self {
    ChangeRule { old, new, servers in
      let isKnown = new.allSatisfy {
        old.contains($0) || servers.contain(PinEndpoint(allowedHost: $0))
      }
      return isKnown ? nil : .elsewhere
    }
  }
}

extension ChangeRule<HTTPURL?> {
  /// A first address at a server of the profile leads nowhere else.
  package static var address: ChangeRule<HTTPURL?> {
    ChangeRule { old, new, servers in
      old == nil && servers.contain(new.map(PinEndpoint.init)) ? nil : .elsewhere
    }
  }
}

extension ChangeRule<PinPolicy> {
  static var enforcement: Self { weaker { $0 == .enforce && $1 == .report } }
}

extension ChangeRule<ResponseMode?> {
  /// A response that is a token is signed.
  static var signedResponse: Self {
    weaker { $0?.isToken ?? false && !($1?.isToken ?? false) }
  }
}

extension ChangeRule<[TokenParameter]> {
  /// Files of this machine are sent.
  static var files: Self { ChangeRule { _, new, _ in new.secretNames.isEmpty ? nil : .local } }
}

extension ChangeRule<String?> {
  static var binding: Self {
    @Sendable func strength(_ word: String?) -> Int {
      ["off", "on", "required"].firstIndex(of: word ?? "off") ?? 0
    }
    return weaker { strength($1) < strength($0) }
  }

  /// The secret of the client is sent in place of its ID.
  static var sendsSecret: Self { weaker { $0 != "secret" && $1 == "secret" } }

  /// Where the code of a login arrives: in a profile that has a server, only at this machine or that server.
  static var redirect: Self {
    ChangeRule { _, new, servers in
      guard let new, !servers.areNew, RedirectURI(new)?.kind != .loopback else { return nil }
      return servers.contain((try? HTTPURL(new)).map(PinEndpoint.init)) ? nil : .elsewhere
    }
  }
}

/// The servers of a profile before a change, and the profile after it.
package struct ProfileServers: Sendable {
  /// Whether the profile had no server before: then it gets those of the new version.
  let areNew: Bool
  private let hosts: Set<PinEndpoint>
  package let changed: Profile

  init(of old: Profile, changedTo new: Profile) {
    areNew = !old.settings.keys.contains { $0.isURL && old[$0.name] != nil }
    hosts = Set((areNew ? new : old).mainServers.map(PinEndpoint.init))
    changed = new
  }

  package func contain(_ host: PinEndpoint?) -> Bool { host.map(hosts.contains) ?? false }
}

extension Profile {
  /// The issuer and the resource server; without an issuer, the other servers that log a user in.
  fileprivate var mainServers: [HTTPURL] {
    urls + (self.issuer == nil ? settings.keys.filter(\.isServer).compactMap(url) : [])
  }
}
