import JSON

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
  /// Its form in the document of a registration.
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
