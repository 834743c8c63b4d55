import PageLogin
import SDKCore

extension SessionOptions {
  /// The options of the program, with the modules that add to a session.
  static func ofProgram() -> SessionOptions {
    var options = SessionOptions(programName: "sdkctl", userAgent: "sdkctl/\(Version.text)")
    options.loginMethods = [.pages]
    return options
  }
}
