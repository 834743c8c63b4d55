import JSON
import SDKCore

/// Changes of settings that come from a document: what is shown of them and agreed to.
struct SettingChanges {
  let changes: [SettingChange]

  init(_ changes: [SettingChange]) { self.changes = changes }

  /// The lines for people; `!` marks what is agreed to by itself.
  var lines: [String] { changes.map { "\($0.effect == nil ? "" : "! ")\($0.line)" } }

  /// Throws unless a person agrees to what protects less or leads elsewhere, or has agreed to it already
  /// with `--allow-weaker`.
  func agreeToWeaker(isAgreed: Bool, refuses: Bool, in context: Context) async throws {
    try await context.agreeToWeaker(
      "Agree to the settings with !, which protect less or lead elsewhere?",
      "could not import the settings: some would protect less, or lead elsewhere",
      changes.filter { $0.effect != nil }.map(\.line), isAgreed: isAgreed, refuses: refuses)
  }

  /// What `--json` prints.
  func report(of profile: ProfileName, isNew: Bool, pins: JSON, notes: [String]) -> JSON {
    [
      "profile": .string(profile.description), "created": .bool(isNew),
      "settings": .object(JSONObject(changes.map { ($0.key, JSON($0.new)) })), "pins": pins,
      "notes": .strings(notes),
    ]
  }
}

extension SettingChange {
  /// The setting with its present value, if it has one.
  fileprivate var line: String {
    "\(key)=\(new ?? "")" + (old.map { " (before: \($0))" } ?? "")
  }
}
