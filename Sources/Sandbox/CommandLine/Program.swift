import Glibc

/// The program: finds the command, runs it, and tells what went wrong.
package enum Program {
  /// Runs the program to its end.
  ///
  /// - Parameter words: the arguments without the name of the program.
  /// - Returns: the exit code.
  package static func run(_ words: [String]) -> Int32 {
    umask(0o077)
    signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      return try dispatch(words)
    } catch {
      Output.error("sdkctl-sandbox: error: \(error.message)\n")
      if let hint = error.hint { Output.error("sdkctl-sandbox: hint: \(hint)\n") }
      return error.exit.rawValue
    }
  }

  /// The commands in the order in which help lists them.
  static let verbs: [Verb] = [
    Start.verb, Stop.verb, Status.verb, Reset.verb, Log.verb, FaultCommand.verb, Rotate.verb,
    CertificateCommand.verb, RevokeCommand.verb, FIDOCommand.verb,
  ]

  private static func dispatch(_ words: [String]) throws(Failure) -> Int32 {
    guard let first = words.first else { throw .usage("which command?") }
    if ["-h", "--help", "help"].contains(first) { return try help(words.dropFirst().first) }
    guard let verb = verbs.first(where: { $0.name == first }) else {
      throw .usage(
        first.hasPrefix("-") ? "unknown option '\(first)'" : "unknown command '\(first)'")
    }
    let arguments = try Arguments(words.dropFirst(), for: verb)
    if arguments.wantsHelp { return try help(verb.name) }
    do { return try verb.run(arguments) } catch let failure as Failure { throw failure } catch {
      throw Failure("could not run '\(verb.name)': \(error)")
    }
  }

  private static func help(_ topic: String?) throws(Failure) -> Int32 {
    guard let topic, topic != "-h", topic != "--help" else {
      Output.text(overview)
      return 0
    }
    guard let verb = verbs.first(where: { $0.name == topic }) else {
      throw .usage("there is no help on '\(topic)'")
    }
    Output.text(verb.help)
    return 0
  }

  private static var overview: String {
    let width = verbs.map(\.name.count).max() ?? 0
    let rows = verbs.map { verb in
      "  \(verb.name)\(String(repeating: " ", count: width - verb.name.count + 2))\(verb.summary)\n"
    }
    return """
      usage: sdkctl-sandbox COMMAND [OPTION]...

      A token server and a resource gateway on this machine, to try sdkctl on.

      \(rows.joined())
      'sdkctl-sandbox help COMMAND' tells more about one of them.

      """
  }
}
