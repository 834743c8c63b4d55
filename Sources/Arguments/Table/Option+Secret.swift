// No secret is the value of an option: command lines are visible to every process.
extension Option {
  /// The option `--NAME-file` of a secret that is in a file or on standard input.
  ///
  /// - Parameters:
  ///   - name: what it is called, such as `password`.
  ///   - path: the file; `-` is standard input.
  ///   - what: the secret in the summary, such as `the password`.
  /// - Returns: the option.
  package static func secret(
    _ name: String, _ path: any Path<String?>, _ what: String
  ) -> Self {
    value("\(name)-file", "FILE", path, "Read \(what) from a file (- is stdin)")
      .completing(.file).input()
  }
}
