// No secret is the value of an option: command lines are visible to every process.
extension Option {
  /// A file whose content is a secret: `--passphrase-file FILE`.
  package static func secretFile(
    _ name: String, _ path: any Path<String?>, _ summary: String
  ) -> Self {
    value("\(name)-file", nil, "FILE", path, summary).completing(.file)
  }
}

extension Array {
  /// The options `--NAME-stdin` and `--NAME-file` of a secret, of which one may be given.
  ///
  /// - Parameters:
  ///   - name: the name of both, such as `password`.
  ///   - input: whether the secret is on standard input.
  ///   - file: the file of the secret.
  ///   - what: the secret in the summaries, such as `the password`.
  ///   - set: the set of options that exclude each other; the name without it.
  /// - Returns: both options.
  package static func secret<Arguments>(
    _ name: String, _ input: any Option<Arguments>.Path<Bool>,
    _ file: any Option<Arguments>.Path<String?>, _ what: String,
    exclusive set: String? = nil
  ) -> [Option<Arguments>] where Element == Option<Arguments> {
    let rows: [Option<Arguments>] = [
      .flag("\(name)-stdin", nil, input, "Read \(what) from standard input"),
      .secretFile(name, file, "Read \(what) from a file"),
    ]
    return rows.map { $0.exclusive(set ?? name) }
  }
}
