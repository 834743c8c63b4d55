import SDKCore

extension Failure {
  /// The failure to read a file with keys, with the option or the command that helps.
  init(_ error: SDKError, readingKeysOf file: String, hasPassword: Bool) {
    self.init(error)
    if error.remedy == .convertKeyStore(nil), file != "-" {
      hints = [Remedy.convertKeyStore(file).commandLine(for: nil)]
    }
    if error.code == .wrongPassword, !hasPassword {
      hints = ["give its password with --password-file"]
    }
    if error.code == .legacyAlgorithm { hints = ["allow these algorithms with --legacy"] }
  }
}
