import HTTP
public import JSON
import OAuth
public import Pinning
import Primitives

/// Checks the settings of a profile without a connection.
public struct ProfileLinter: Sendable {
  private let pins: PinSets

  /// Prepares a check; hosts that have no pins among these are reported.
  public init(pins: PinSets) { self.pins = pins }

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
    var problems: [Finding] = []
    var usable: JSONObject = [:]
    for (path, value) in members.settings {
      guard let key = ProfileKey.named(path) else {
        let renamed = ProfileKey.renamed(path).map { "it is named '\($0)' now" }
        var problem = Finding(.error, .unknownKey, path, renamed ?? "there is no such setting")
        problem.remedy = .unsetProfile(key: path)
        problems.append(problem)
        continue
      }
      do throws(SDKError) {
        try key.check(value)
        usable[path] = value
      } catch {
        problems.append(Finding(.error, .invalidValue, path, error.message))
      }
    }
    let profile = ProfileRules(usable)
    return problems + profile.contradictions + profile.weaknesses + unpinned(profile)
  }

  private func unpinned(_ profile: ProfileRules) -> [Finding] {
    profile.urls.compactMap { key, url in
      guard pins.set(for: url.host, port: url.port) == nil else { return nil }
      return Finding(
        .warning, .unpinned, key,
        "\(url.authority) has no pins"
          + (profile.enforces ? ", so every request to it is refused" : ""))
    }
  }
}

/// What settings mean together: those that could be read, by their keys.
private struct ProfileRules {
  private let values: JSONObject

  init(_ values: JSONObject) { self.values = values }

  /// Whether a missing pin stops a transfer.
  var enforces: Bool { values["pinPolicy"] != "report" }

  /// The hosts that requests of the profile go to, with the keys that name them, each once.
  var urls: [(key: String, url: HTTPURL)] {
    ["issuer", "resourceURL", "form.url", "fido.url", "identity.url"].reduce(into: []) {
      urls, key in
      guard let url = url(key), !urls.contains(where: { $0.url.authority == url.authority }) else {
        return
      }
      urls.append((key, url))
    }
  }

  /// Settings that need another one, or that exclude each other.
  var contradictions: [Finding] {
    var problems: [Finding] = []
    for (key, value, needed) in Self.needs where isSet(key, to: value) {
      for other in needed where values[other] == nil {
        let condition = value.map { "\(key)=\($0)" } ?? key
        problems.append(
          Finding(
            .error, .contradiction, key, "\(condition) needs '\(other)', which is not set"))
      }
    }
    for group in ["fido", "seal"] {
      let (least, most) = ("\(group).passcodeMinimumLength", "\(group).passcodeMaximumLength")
      let usual = ProfileKey.named(most)?.defaultText.flatMap { Int64($0) } ?? .max
      guard let number = values[least]?.int, number > values[most]?.int ?? usual else { continue }
      problems.append(
        Finding(
          .error, .contradiction, least,
          "no passcode is as long as \(least) and as short as \(most)"))
    }
    if values["discovery"] == false, values["par"] == true,
      values["endpoints.pushedAuthorization"] == nil
    {
      problems.append(
        Finding(
          .error, .contradiction, "par",
          "par=true needs 'endpoints.pushedAuthorization', because there is no metadata"))
    }
    return problems
  }

  /// Settings that protect less than the usual ones.
  var weaknesses: [Finding] {
    var problems: [Finding] = []
    for key in ProfileKey.all where key.isURL && url(key.name)?.scheme == .http {
      let isAllowed = values["insecureLoopback"] == true && url(key.name)?.isLoopback == true
      problems.append(
        Finding(
          isAllowed ? .warning : .error, .plainHTTP, key.name,
          isAllowed
            ? "requests are not protected by TLS"
            : Profile.plainHTTPRule))
    }
    if !enforces {
      problems.append(
        Finding(
          .warning, .notEnforced, "pinPolicy",
          "requests with tokens go to servers without a pinned key"))
    }
    for key in ProfileKey.all {
      // A protection that is not usual is missed only where it was meant.
      guard let protects = key.protectiveFlag, let value = values[key.name]?.bool,
        value != protects, !protects || key.defaultText == "true"
      else { continue }
      problems.append(
        Finding(.warning, .switchedOff, key.name, "\(key.name)=\(value) protects less"))
    }
    if let caution = values["redirectURI"]?.string.flatMap({ RedirectURI($0) })?.caution {
      problems.append(Finding(.warning, .openScheme, "redirectURI", caution))
    }
    return problems
  }

  private func isSet(_ key: String, to value: String?) -> Bool {
    guard let set = values[key] else { return false }
    guard let value else { return true }
    return sameIdentifier(set.string ?? set.bool.map(String.init), value)
  }

  private func url(_ key: String) -> HTTPURL? { values[key]?.string.flatMap { try? HTTPURL($0) } }

  /// What a setting needs: with a value, or whatever it is.
  private static let needs: [(key: String, value: String?, needed: [String])] = [
    ("discovery", "false", ["endpoints.authorization", "endpoints.token"]),
    ("payloadEncryption", "true", ["serverPublicKey"]),
    ("identity.obtain", "est", ["identity.url"]), ("identity.obtain", "sls", ["identity.url"]),
    ("identity.obtain", "sap", ["identity.attributesURL", "identity.requestURL"]),
    ("identity.obtain", "command", ["identity.command"]),
    ("identity.profile", nil, ["identity.token"]),
    ("reauthenticate", "form", ["form.url"]), ("reauthenticate", "fido", ["fido.url"]),
    ("form.successURL", nil, ["form.url"]), ("form.user", nil, ["form.url"]),
    ("fido.user", nil, ["fido.url"]), ("accountClient", nil, ["endpoints.account"]),
  ]
}

extension Finding {
  fileprivate init(
    _ severity: Severity, _ problem: Problem, _ setting: String?, _ text: String
  ) {
    self.init(.settings, severity, text, about: setting, problem: problem)
  }
}
