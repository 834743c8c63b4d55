import HTTP
public import JSON
import OAuth
public import Pinning
import Primitives

/// Checks the settings of a profile without a connection.
public struct ProfileLinter: Sendable {
  private let pins: PinSets
  private let settings: SettingTable

  /// Prepares a check of the settings that a program knows; hosts that have no pins among these are reported.
  public init(pins: PinSets = PinSets(), settings: SettingTable = .core) {
    (self.pins, self.settings) = (pins, settings)
  }

  /// The problems of a document with the settings of a profile, with their lines.
  ///
  /// - Parameter bytes: JSON as a profile's file has it.
  /// - Returns: the problems, in the order of the document, then those of the settings together.
  public func problems(in bytes: [UInt8]) -> [Finding] {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes, maximumDepth: 32) } catch {
      var problem = Finding(.error, .malformed, nil, "it is not JSON: \(error)")
      problem.line = error.line
      return [problem]
    }
    guard let members = document.object else {
      return [Finding(.error, .malformed, nil, "it is \(document.kind), not an object")]
    }
    let lines = JSONLines(of: bytes)
    return problems(in: members).map { problem in
      var problem = problem
      problem.line = problem.subject.flatMap { lines[$0] }
      return problem
    }
  }

  /// The problems of the members of a profile.
  public func problems(in members: JSONObject) -> [Finding] {
    guard let name = try? ProfileName("checked") else { return [] }
    var problems: [Finding] = []
    var profile = Profile(unchecked: name, members: [:], settings: settings)
    for (path, value) in settings.values(in: members) {
      do throws(SDKError) { try profile.set(path, to: value) } catch {
        let isKnown = settings.named(path) != nil
        var problem = Finding(
          .error, isKnown ? .invalidValue : .unknownKey, path,
          isKnown ? error.message : "there is no such setting")
        if !isKnown { problem.remedy = .unsetProfile(key: path) }
        problems.append(problem)
      }
    }
    return problems + profile.contradictions + profile.weaknesses + unpinned(profile)
  }

  private func unpinned(_ profile: Profile) -> [Finding] {
    var authorities: Set<String> = []
    return settings.keys.compactMap { key in
      guard key.isEndpoint, let url = profile.url(key), authorities.insert(url.authority).inserted,
        pins.set(for: url.host, port: url.port) == nil
      else { return nil }
      return Finding(
        .warning, .unpinned, key.name,
        "\(url.authority) has no pins"
          + (profile.pinPolicy == .enforce ? ", so every request to it is refused" : ""))
    }
  }
}

extension Profile {
  fileprivate var contradictions: [Finding] {
    settings.keys.flatMap { key -> [Finding] in
      guard let value = self[key.name] else { return [] }
      return (key.missing(in: self) + undeclared(key)).map {
        Finding(
          .error, .contradiction, key.name, "\(key.name)=\(key.text(of: value)) needs \($0)")
      }
    }
  }

  /// The server of a way to log in that follows a 401.
  private func undeclared(_ key: ProfileKey) -> [String] {
    guard key.name == ProfileKeys.shared.reauthentication.name,
      case .login(let means) = self.reauthentication,
      let login = settings.logins.first(where: { $0.means == means }), self[login.server] == nil
    else { return [] }
    return ["'\(login.server.name)', which is not set"]
  }

  fileprivate var weaknesses: [Finding] {
    var problems: [Finding] = []
    for key in settings.keys {
      guard let url = url(key), url.scheme == .http else { continue }
      let isAllowed = self.insecureLoopback && url.isLoopback
      problems.append(
        Finding(
          isAllowed ? .warning : .error, .plainHTTP, key.name,
          isAllowed ? "requests are not protected by TLS" : Self.plainHTTPRule))
    }
    if self.pinPolicy == .report {
      problems.append(
        Finding(
          .warning, .notEnforced, "pinPolicy",
          "requests with tokens go to servers without a pinned key"))
    }
    for key in settings.keys {
      // A protection that is not usual is missed only where it was meant.
      guard let value = self[key.name]?.bool, let protects = key.protectiveFlag,
        value != protects, !protects || key.defaultText == "true"
      else { continue }
      problems.append(
        Finding(.warning, .switchedOff, key.name, "\(key.name)=\(value) protects less"))
    }
    if let caution = self.redirectURI.flatMap({ RedirectURI($0) })?.caution {
      problems.append(Finding(.warning, .openScheme, "redirectURI", caution))
    }
    return problems
  }
}

extension Finding {
  fileprivate init(
    _ severity: Severity, _ problem: Problem, _ setting: String?, _ text: String
  ) {
    self.init(.settings, severity, text, about: setting, problem: problem)
  }
}
