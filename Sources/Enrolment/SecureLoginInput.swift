import JSON
import Primitives

/// The input that a Secure Login Server requires of a person.
public struct SecureLoginInput: Sendable, Hashable {
  /// A field that it asks for.
  public struct Field: Sendable, Hashable {
    /// Its name in the form.
    public let name: String
    /// What a person reads before it.
    public let prompt: String
    /// A value that the server suggests.
    public let preset: String?
    /// Whether it must not be shown while it is typed.
    public let isSecret: Bool
    /// The name of the field that it repeats.
    public let confirms: String?
    /// The setting of the profile that would have given it; `nil` if there is none.
    public internal(set) var setting: String?
  }

  /// A hint or an error, safe to show.
  public let message: String?
  /// What a person agrees to, safe to show.
  public let disclaimer: String?
  /// The fields to fill in.
  public var fields: [Field]
  /// The settings of the profile that would have given them, each once.
  public var settings: [String] {
    var settings: [String] = []
    for case let setting? in fields.map(\.setting) where !settings.contains(setting) {
      settings.append(setting)
    }
    return settings
  }

  init(_ document: JSON) {
    func text(_ value: JSON?) -> String? {
      value?.string.map { VisibleText.of($0, .space, limit: 500) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    message = text(document["clientMessage"])
    disclaimer = text(document["disclaimer"])
    fields = (document["inputFields"]?.array ?? []).prefix(20).compactMap { field in
      guard let name = field["fieldName"]?.string, !name.isEmpty else { return nil }
      return Field(
        name: name, prompt: text(field["prompt"]) ?? name, preset: field["preset"]?.string,
        isSecret: field["type"]?.string?.asciiLowercased != "plain" && field["type"]?.int != 0,
        confirms: field["confirmField"]?.string)
    }
  }
}
