import Enrolment
import FIDO
import PageLogin
import SDKCore

extension SessionOptions {
  /// The options of the program, with the modules that add to a session; the delegates are asked if a request
  /// needs a login with a FIDO key, the questions if an enrolment service wants something of a person.
  static func ofProgram(
    asking delegates: AuthenticatorDelegates = AuthenticatorDelegates(),
    _ questions: EnrolmentQuestions = EnrolmentQuestions()
  ) -> SessionOptions {
    var options = SessionOptions(programName: "sdkctl", userAgent: "sdkctl/\(Version.text)")
    options.enrolment = .all(asking: questions)
    options.loginMethods = [.pages, .fido(asking: delegates)]
    return options
  }
}

extension SettingTable {
  static let ofProgram = SessionOptions.ofProgram().settings
}
