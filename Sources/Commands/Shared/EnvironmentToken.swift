import POSIX
import Primitives
import SDKCore

/// An access token that the environment has for the user, in place of the stored one.
struct EnvironmentToken: Sendable {
  let token: String
  /// The variable that it came from.
  let variable: String
  /// The file that the variable names; `nil` if the variable holds the token itself.
  let file: String?

  /// The token of `SDKCTL_TOKEN`, else that of `BEARER_TOKEN`, else that in the file that
  /// `BEARER_TOKEN_FILE` names; `nil` without any.
  static func find(_ environment: Environment) throws -> EnvironmentToken? {
    if let token = environment["SDKCTL_TOKEN"], !token.isEmpty {
      return try EnvironmentToken(token, "SDKCTL_TOKEN")
    }
    if let token = environment["BEARER_TOKEN"]?.withoutSpaces, !token.isEmpty {
      return try EnvironmentToken(token, "BEARER_TOKEN")
    }
    guard let file = environment["BEARER_TOKEN_FILE"], !file.isEmpty else { return nil }
    let bytes: [UInt8]
    do throws(SDKError) {
      bytes = try SecretFile.bytes(of: file, "token of BEARER_TOKEN_FILE")
    } catch {
      var failure = Failure(error)
      if failure.exit != .configuration {
        failure = Failure(.invalidConfiguration, error.message)
      }
      throw failure
    }
    let token = String(decoding: bytes, as: UTF8.self).withoutSpaces
    return try EnvironmentToken(token, "BEARER_TOKEN_FILE", file: file)
  }

  /// What makes commands ignore it.
  var removal: String { "unset \(variable)" }

  /// Visible ASCII, as RFC 6749 appendix A.12 has it.
  private init(_ token: String, _ variable: String, file: String? = nil) throws {
    guard !token.isEmpty else {
      throw Failure(.invalidConfiguration, "could not use \(variable): the file is empty")
    }
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(
        .invalidConfiguration,
        "could not use \(variable): it has spaces, line breaks or characters that are not ASCII")
    }
    self.token = token
    self.variable = variable
    self.file = file
  }
}

extension String {
  /// Without the ASCII white space around it.
  fileprivate var withoutSpaces: String { String(decoding: utf8.trimmingSpace, as: UTF8.self) }
}
