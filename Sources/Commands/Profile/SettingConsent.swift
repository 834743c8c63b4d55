import Arguments
import SDKCore

/// What a person agrees to on the command line, of settings that come from elsewhere.
struct SettingConsent: Sendable {
  /// Whether they may protect less.
  var allowsWeaker = false
  /// Lists of names, separated by commas.
  var lists: [String] = []

  /// `--allow-weaker` and `--allow`.
  static let options: [Option<Self>] = [
    .flag("allow-weaker", \.allowsWeaker, "Agree to what protects less"),
    .list("allow", "SETTING", \.lists, "Agree to this setting with !")
      .more(
        """
        Several are separated by commas. It is needed for each setting that sends credentials elsewhere, or \
        names a program, a module, a file or a device of this machine.
        """
      ).completing(.dynamic("keys")),
  ]

  /// What may lead elsewhere, or name something of this machine.
  var names: Set<String> {
    Set(lists.flatMap { $0.split(separator: ",").map(String.init) })
  }
}
