package import POSIX
import Primitives

/// A command line of the user that prints something for this program.
///
/// No shell reads it. Its standard error is ours, so that it can talk to the person.
package struct ExternalCommand: Sendable {
  /// The setting or the option that has it, for errors.
  let subject: String
  /// The program, which is its name in errors.
  package let name: String
  private let arguments: [String]

  package init(_ line: String, of subject: String) throws(SDKError) {
    guard let words = ShellWord.split(line), let program = words.first else {
      throw SDKError(
        .invalidConfiguration, cause: "\(subject) has no program, or an open quote",
        subject: subject)
    }
    self.init([program] + words.dropFirst(), of: subject)
  }

  init(_ words: [String], of subject: String) {
    self.subject = subject
    name = words.first ?? ""
    arguments = Array(words.dropFirst())
  }

  package func output(
    _ environment: Environment, within limit: Duration?
  ) async throws(SDKError) -> [UInt8] {
    guard let path = Spawn.find(name, in: environment) else {
      throw SDKError(
        .invalidConfiguration, cause: "'\(name)' is not a program", subject: subject)
    }
    let output: ProcessOutput
    do {
      output = try await Spawn.run(
        path, arguments, environment: environment.forHelpers, sharesErrors: true, timeout: limit)
    } catch {
      throw failure(error)
    }
    guard output.status.isSuccess else {
      throw SDKError(.refused, cause: "'\(name)' \(output.status)")
    }
    return output.output
  }

  private func failure(_ error: SpawnError) -> SDKError {
    switch error {
    case .system(let error): SDKError(.localData, cause: "\(error)")
    case .outputTooLarge: SDKError(.malformedResponse, cause: "'\(name)' printed too much")
    case .timedOut: SDKError(.network, cause: "'\(name)' did not end in time")
    case .cancelled: SDKError(.cancelled, cause: "'\(name)' was cancelled")
    }
  }
}

extension Environment {
  /// The variables that have the user's access token, or name its file.
  package static let tokenVariables = ["SDKCTL_TOKEN", "BEARER_TOKEN", "BEARER_TOKEN_FILE"]

  /// The same for programs that help this one, which must not know its tokens.
  package var forHelpers: Environment { removing(Self.tokenVariables) }
}
