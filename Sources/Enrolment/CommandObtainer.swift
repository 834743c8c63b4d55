import OpenSSL
import POSIX
import Primitives
import SDKCore

/// Has an external program print certificate and key, as PEM or PKCS #12 without a password.
struct CommandObtainer: Sendable {
  let context: EnrolmentContext

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let command = try ExternalCommand(
      try context.profile.required(EnrolmentKeys.command), of: "identity.command")
    let program = command.name
    let output = try await output(of: command, for: request)
    let material = try await read(output, of: program)
    guard material.hasKey else {
      throw SDKError(.malformedResponse, cause: "'\(program)' printed no private key")
    }
    do throws(SDKError) {
      return try material.identity(
        for: request, obtainedBy: EnrolmentKind.command.rawValue, at: context.now())
    } catch {
      throw SDKError(.malformedResponse, cause: "'\(program)': \(error.message)")
    }
  }

  private func output(
    of command: ExternalCommand, for request: IdentityRequest
  ) async throws(SDKError) -> [UInt8] {
    var environment = Environment.current
    environment["SDKCTL_IDENTITY_HOST"] = request.host
    environment["SDKCTL_IDENTITY_NAME"] = request.name.description
    environment["SDKCTL_IDENTITY_RENEWS"] = request.current == nil ? nil : "1"
    do {
      return try await command.output(
        environment, within: context.environment.clock.limits.remaining)
    } catch {
      throw error.code == .cancelled ? SDKError.cancelled : error
    }
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
}
