import HTTP
import JOSE
import JSON
import OAuth
import POSIX
import Primitives

struct AssertionReader: Sendable {
  let environment: SessionEnvironment
  var variables = Environment.current

  func assertion(from source: AssertionSource) async throws(SDKError) -> String {
    do throws(SDKError) {
      let text = try await text(of: source)
      try check(text, for: source)
      return text
    } catch {
      throw error.during("could not get the assertion \(source.phrase)")
    }
  }

  private func text(of source: AssertionSource) async throws(SDKError) -> String {
    switch source {
    case .file(let path):
      let bytes = try await onBackgroundThread { () throws(SDKError) in
        // Others may read it: Kubernetes makes its tokens so, within one container.
        try attempt(as: .localData) { try FileReader.read(path, limit: Self.limit) }
      }
      return try SecretFile.line(in: bytes, "assertion")
    case .command(let line): return try await output(try ExternalCommand(line, of: "command"))
    case .job(let service, let audience): return try await token(of: service, audience)
    }
  }

  private func token(
    of service: CIService, _ audience: String?
  ) async throws(SDKError) -> String {
    switch service {
    case .github: return try await requested(for: audience)
    case .gitlab: return try variable("SDKCTL_ID_TOKEN", "declare it in the job, under 'id_tokens'")
    case .circleci:
      if let audience {
        let claims: JSON = ["aud": .string(audience)]
        return try await output(
          ExternalCommand(
            ["circleci", "run", "oidc", "get", Self.option("claims"), claims.serialized()],
            of: "circleci"))
      }
      let name =
        variables["CIRCLE_OIDC_TOKEN_V2"] == nil ? "CIRCLE_OIDC_TOKEN" : "CIRCLE_OIDC_TOKEN_V2"
      return try variable(name, "this is not a job of CircleCI")
    case .buildkite:
      let words = ["buildkite-agent", "oidc", "request-token"]
      return try await output(
        ExternalCommand(
          words + (audience.map { [Self.option("audience"), $0] } ?? []), of: "buildkite"))
    }
  }

  private static func option(_ name: String) -> String { "--" + name }

  /// The token of a job of GitHub Actions: the address and its token are those of the job.
  private func requested(for audience: String?) async throws(SDKError) -> String {
    let cause = "the job needs the permission 'id-token: write'"
    let address = try variable("ACTIONS_ID_TOKEN_REQUEST_URL", cause)
    let secret = try variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN", cause)
    guard var url = try? HTTPURL(address), url.scheme == .https else {
      throw SDKError(
        .invalidConfiguration, cause: "ACTIONS_ID_TOKEN_REQUEST_URL is not an https URL")
    }
    if let audience { url = url.adding(["audience": audience]) }
    var request = HTTPRequest(.get, url)
    request.fields = [
      HTTPField(known: "Authorization", "Bearer \(secret)"),
      HTTPField(known: "Accept", "application/json"),
    ]
    let client = environment.serverClient()
    let sent = request
    let response = try await attempt { () async throws in try await client.object(sent) }
    guard let token = response["value"]?.string, !token.isEmpty else {
      throw SDKError(
        .malformedResponse, cause: "\(url.host) returned no 'value'", subject: url.host)
    }
    return token
  }

  private func variable(_ name: String, _ cause: String) throws(SDKError) -> String {
    guard let value = variables[name], !value.isEmpty else {
      throw SDKError(.invalidConfiguration, cause: "\(name) is not set: \(cause)", subject: name)
    }
    return value
  }

  private func output(_ command: ExternalCommand) async throws(SDKError) -> String {
    let limit = environment.clock.limits.remaining
    return try SecretFile.line(in: try await command.output(variables, within: limit), "assertion")
  }

  /// Refuses what no server accepts, before it is sent; signature and issuer are the server's to check.
  private func check(_ text: String, for source: AssertionSource) throws(SDKError) {
    guard let token = try? JWT(text) else {
      throw SDKError(.localData, cause: "it is not a JWT")
    }
    if let expires = token.expiration, expires <= environment.now() {
      throw SDKError(.localData, cause: "it expired at \(expires)")
    }
    guard case .job(.gitlab, let audience?) = source else { return }
    guard token.audience.contains(where: { sameIdentifier($0, audience) }) else {
      throw SDKError(
        .localData, cause: "it is not for '\(audience)'; 'aud' of the job says for whom it is")
    }
  }

  private static let limit = 1 << 16
}

extension AssertionSource {
  fileprivate var phrase: String {
    switch self {
    case .file(let path): "of the file '\(path)'"
    case .command: "of the command"
    case .job(let service, _): "of the job (\(service.rawValue))"
    }
  }
}

/// Where an assertion comes from that another issuer has signed about this workload (RFC 7523).
///
/// It is read each time it is needed, because such assertions live for minutes.
public enum AssertionSource: Sendable, Hashable {
  /// The content of a file, such as a projected token of Kubernetes.
  case file(String)
  /// What a command prints; no shell reads its line.
  case command(String)
  /// The token of a job of a CI service, for an audience if one is named.
  case job(CIService, audience: String?)
}

/// A CI service that signs a token about each job.
public enum CIService: String, Sendable, CaseIterable {
  /// GitHub Actions, and what speaks its protocol.
  case github
  /// GitLab CI.
  case gitlab
  /// CircleCI.
  case circleci
  /// Buildkite.
  case buildkite
}

extension AssertionSource {
  var stored: JSON {
    switch self {
    case .file(let path): ["file": .string(path)]
    case .command(let line): ["command": .string(line)]
    case .job(let service, let audience):
      .members(["from": .string(service.rawValue), "audience": audience.map { .string($0) }])
    }
  }

  init?(stored: JSON) {
    if let path = stored["file"]?.string {
      self = .file(path)
    } else if let line = stored["command"]?.string {
      self = .command(line)
    } else if let service = stored["from"]?.string.flatMap(CIService.init) {
      self = .job(service, audience: stored["audience"]?.string)
    } else {
      return nil
    }
  }
}
