import OpenSSL
import POSIX
import Primitives

/// Has an external program print certificate and key, as PEM or PKCS #12 without a password.
///
/// Its standard error is ours, so that it can talk to the person. It finds the host, the name of
/// the identity, and the PEM file of the one that is renewed in its environment.
struct CommandObtainer: IdentityObtaining {
  let context: EnrolmentContext

  init(_ context: EnrolmentContext) { self.context = context }

  let name = EnrolmentKind.command.rawValue

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let line = try context.required(\.identityCommand)
    guard let words = ShellWord.split(line), let program = words.first else {
      throw SDKError(
        .invalidConfiguration, cause: "identity.command has no program, or an open quote",
        subject: "identity.command")
    }
    let output = try await run(program, Array(words.dropFirst()), request)
    let material = try await read(output, of: program)
    guard material.hasKey else {
      throw SDKError(.malformedResponse, cause: "'\(program)' printed no private key")
    }
    do throws(SDKError) {
      return try material.identity(for: request, obtainedBy: name, at: context.now())
    } catch {
      throw SDKError(.malformedResponse, cause: "'\(program)': \(error.message)")
    }
  }

  private func run(
    _ program: String, _ arguments: [String], _ request: IdentityRequest
  ) async throws(SDKError) -> [UInt8] {
    var environment = Environment.current
    environment["SDKCTL_IDENTITY_HOST"] = request.host
    environment["SDKCTL_IDENTITY_NAME"] = request.name.description
    environment["SDKCTL_IDENTITY_RENEWS"] = request.current == nil ? nil : "1"
    guard let path = Spawn.find(program, in: environment) else {
      throw SDKError(
        .invalidConfiguration, cause: "'\(program)' is not a program", subject: "identity.command")
    }
    let output: ProcessOutput
    do {
      output = try await Spawn.run(
        path, arguments, environment: environment, sharesErrors: true,
        timeout: context.environment.clock.limits.remaining)
    } catch {
      throw Self.failure(error, program)
    }
    guard output.status.isSuccess else {
      throw SDKError(.refused, cause: "'\(program)' \(output.status.text)")
    }
    return output.output
  }

  private func read(
    _ output: [UInt8], of program: String
  ) async throws(SDKError) -> IdentityMaterial {
    do {
      return try await .read(
        output, allowsLegacy: true, atMost: context.environment.clock.limits.remaining)
    } catch {
      throw SDKError(
        .malformedResponse, cause: "'\(program)' printed no identity: \(error.message)")
    }
  }

  private static func failure(_ error: SpawnError, _ program: String) -> SDKError {
    switch error {
    case .system(let error): SDKError(.localData, cause: "\(error)")
    case .outputTooLarge: SDKError(.malformedResponse, cause: "'\(program)' printed too much")
    case .timedOut: SDKError(.network, cause: "'\(program)' did not end in time")
    case .cancelled: IdentityDecisions.cancelled
    }
  }
}

extension ExitStatus {
  fileprivate var text: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signalled(let number): "was ended by signal \(number)"
    }
  }
}
