/// A desktop entry that hands addresses of a URL scheme to a command line.
///
/// The format is the Desktop Entry Specification of freedesktop.org.
struct DesktopEntry {
  let scheme: String
  /// The command line before the address.
  let command: [String]

  /// The file's content.
  var text: String {
    """
    [Desktop Entry]
    Type=Application
    Name=sdkctl (\(scheme))
    Comment=Completes a login that waits in a terminal
    NoDisplay=true
    Terminal=false
    StartupNotify=false
    Exec=\(Self.escaped(command.map(Self.quoted).joined(separator: " "))) %u
    MimeType=x-scheme-handler/\(scheme);

    """
  }

  /// One argument of `Exec`: where it must be, in double quotes, with `"`, a backtick, `$` and
  /// `\` escaped; and `%`, which begins a field code, doubled.
  ///
  /// What need not be quoted is not, for xdg-open reads the line with simpler rules.
  private static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.utf8.allSatisfy({ plain.contains($0) }) { return word }
    var result = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\"", "`", "$", "\\": result += "\\\(scalar)"
      case "%": result += "%%"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=+@,-".utf8)

  /// A value of the type string: escaped once more, whatever the quoting has done already.
  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: String(scalar)
      }
    }.joined()
  }
}
