// No secret is the value of an option: command lines are visible to every process.
extension Option {
  /// A file whose content is a secret: `--passphrase-file FILE`.
  package static func secretFile(
    _ name: String, _ path: any Path<String?>, _ summary: String
  ) -> Self {
    value("\(name)-file", "FILE", path, summary).completing(.file)
  }

  /// The option `--NAME-file` of a secret that may also be on standard input.
  ///
  /// - Parameters:
  ///   - name: what it is called, such as `password`.
  ///   - path: the file; `-` is standard input.
  ///   - what: the secret in the summary, such as `the password`.
  /// - Returns: the option.
  package static func secret(
    _ name: String, _ path: any Path<String?>, _ what: String
  ) -> Self {
    secretFile(name, path, "Read \(what) from a file (- is stdin)").input()
  }
}
