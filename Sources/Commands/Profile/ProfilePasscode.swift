import Arguments
import JSON
import Primitives
import SDKCore

enum ProfilePasscode: Command {
  static let page = CommandInfo(
    name: "passcode", summary: "Change the passcode of the sealed secrets",
    description: """
      Asks for the passcode of {profile seal} and for a new one: `sdkctl profile passcode`. What is sealed \
      stays as it is. A wrong passcode counts as an attempt. The settings `seal.passcode*` say which passcodes \
      may be chosen. {fido passcode} changes that of FIDO keys. The SDKs for apps call a passcode PIN; here a \
      pin is always a certificate pin.
      """,
    examples: [
      ("sdkctl profile passcode", "Type the old and the new passcode"),
      (
        "sdkctl profile passcode --passcode-file old --new-passcode-file new",
        "Read both from files"
      ),
    ],
    exitCodes: [4, 9, 10, 14], seeAlso: ["profile seal", "fido passcode"],
    output: ProfileName.rows.document, needs: .terminal)

  struct Arguments: CommandArguments {
    var newPasscodeFile: String?
  }

  static let options: [Option<Arguments>] = [.newPasscode(\.newPasscodeFile)]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let name = session.profile.name
    guard try session.seal.hasPasscode() else {
      throw Failure(
        .noPasscode, "could not change the passcode of '\(name)': nothing is sealed",
        hints: [ShellWord.sdkctl(of: name, "profile", "seal")])
    }
    try await context.changePasscode(of: "the sealed secrets", name, arguments.newPasscodeFile) {
      try await session.seal.changePasscode(from: $0, to: $1)
    }
  }
}

extension Context {
  /// Asks for a passcode and for a new one, has it changed, and reports that.
  func changePasscode(
    of what: String, _ name: ProfileName, _ newFile: String?,
    _ change: ([UInt8], [UInt8]) async throws -> Void
  ) async throws {
    let old = try await oldSecret("passcode", of: what, file: globals.passcodeFile)
    let new = try await newSecret("passcode", option: "new-passcode", file: newFile)
    try await change(Array(old.utf8), Array(new.utf8))
    report(name, ProfileName.rows, "changed the passcode of \(what) of '\(name)'")
  }
}

extension Option {
  /// `--new-passcode-file`.
  static func newPasscode(_ path: any Path<String?>) -> Self {
    .secret("new-passcode", path, "the new passcode")
  }
}
