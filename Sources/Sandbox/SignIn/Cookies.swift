/// The cookies of the sign-in pages.
enum Cookies {
  /// Tells browsers apart, so that a login goes on only where it began.
  static let browser = "__Host-sandbox-browser"
  /// Stands for the person who signed in.
  static let session = "__Host-sandbox-session"

  static func kept(_ name: String, _ value: String) -> String {
    "\(name)=\(value); Path=/; Secure; HttpOnly; SameSite=Lax"
  }

  static func expired(_ name: String) -> String { kept(name, "") + "; Max-Age=0" }
}
