import FIDO
import POSIX
import Primitives
package import SDKCore

extension Remedy {
  /// The remedy as command lines, if there are several ways.
  func commandLines(for profile: ProfileName?, _ user: UserID? = nil) -> [String] {
    guard self == .otherLogins else { return [commandLine(for: profile, user)] }
    let login = Remedy.login.commandLine(for: profile, user)
    return ["--device", "--no-browser", "--manual"].map { "\(login) \($0)" }
  }

  /// The remedy as a command line to paste, or as a sentence if no command does it.
  package func commandLine(for profile: ProfileName?, _ user: UserID? = nil) -> String {
    let program = ShellWord.sdkctl(of: profile, as: user)
    switch self {
    case .login(let login):
      let program = login.profile.map { ShellWord.sdkctl(of: $0) } ?? program
      return login.means == .fido
        ? "\(program) fido login" : Self.line(program, "login", login.words)
    case .otherLogins: return "\(program) login --device"
    case .manualLogin: return "\(program) login --manual"
    case .register(let registering):
      return Self.line(program, "register", registering.words(for: profile))
    case .updateApplication:
      return "use a newer version of the application, or say which one this is with "
        + "`\(program) register update --software-version VERSION`"
    case .updateSystem:
      return "update the operating system: the server does not accept this version"
    case .registerFIDO: return "\(program) fido register"
    case .other(let other): return other.name
    case .eraseTokens(let slot):
      return "\(program) logout --local" + slot.option
    case .cookieHeader: return "\(program) token --cookie"
    case .enterPasscode:
      return
        "type the passcode on a terminal, or name its file with --passcode-file, or a program that "
        + "asks for it with SDKCTL_ASKPASS"
    case .typePasscode:
      return
        "type the passcode on a terminal, without --passcode-file and SDKCTL_PASSCODE_FILE"
    case .setProfile(let key, let value): return "\(program) profile set " + Self.set(key, value)
    case .unsetProfile(let key): return "\(program) profile unset \(ShellWord.quoted(key))"
    case .chooseProfile: return "sdkctl profile list"
    case .copyProfile(let name): return ShellWord.sdkctl("profile", "copy", name, "NEW")
    case .pinHosts(let hosts):
      return Self.line(program, "pin add", hosts.map { ShellWord.quoted($0) })
    case .checkPins(let host): return "\(program) pin check \(ShellWord.quoted(host))"
    case .replaceRequested(let name):
      return "import its certificate, or replace the request with --replace, or remove it with "
        + "`\(program) identity remove \(ShellWord.quoted(name.description))`"
    case .importIdentity(let host):
      return "\(program) identity import FILE --host \(ShellWord.quoted(host))"
    case .nameIdentity: return "choose one with --identity NAME"
    case .nameKey: return "choose one with --key-alias NAME"
    case .addKey: return "name the file of its private key with --key-file"
    case .convertKeyStore(let file):
      return "keytool -importkeystore -srckeystore \(ShellWord.quoted(file ?? "FILE")) "
        + "-destkeystore \(ShellWord.quoted((file ?? "FILE") + ".p12")) -deststoretype pkcs12"
    case .protect(let protections):
      return protections.map(\.commandLine).joined(separator: " && ")
    case .writableStore:
      return
        "make the store writable, or name another one with SDKCTL_HOME; SDKCTL_TOKEN gives a "
        + "token that is not stored"
    case .compareClient: return "compare the client id and its secret with those at the provider"
    case .allowGrant: return "allow this kind of login (grant type) for the client at the provider"
    case .allowRequest(let redirectURI, let scope, let isSigned):
      let refused =
        (scope.map { "the scope '\($0)'" } ?? "a request without scope")
        + (isSigned ? ", a signed request (the setting jar)" : "")
      return "if the browser showed an error, the server may not take \(refused), or the redirect "
        + "URI \(redirectURI): allow that URI at the server, or ask for another scope with "
        + "`\(program) profile set scope=\(scope == nil ? "openid" : "SCOPE")`"
    case .freePort(let port):
      let other = Registering(.replacing, redirectURI: .otherPort)
      return "end what listens there (`ss -ltnp 'sport = :\(port)'` shows it), or use another port "
        + "with `\(program) login --callback-port 0` if the server lets it vary, else with "
        + "`\(Remedy.register(other).commandLine(for: profile))`"
    }
  }

  private static func line(_ program: String, _ verb: String, _ words: [String]) -> String {
    ([program, verb] + words).joined(separator: " ")
  }

  /// The operand of `profile set`; a word in capitals stands for what only the user knows.
  private static func set(_ key: String, _ value: String?) -> String {
    if let value { return "\(key)=\(ShellWord.quoted(value))" }
    for word in ["scope", "user"] where key.asciiLowercased.hasSuffix(word) {
      return "\(key)=\(word.uppercased())"
    }
    return "\(key)=https://HOST/PATH"
  }
}

extension Remedy.Login {
  fileprivate var words: [String] {
    var words: [String] = []
    if means != .browser { return [means.name] }
    if slot != .user { words.append(String(slot.option.dropFirst())) }
    if let authenticationContexts { words += ["--acr", ShellWord.quoted(authenticationContexts)] }
    if let maximumAge { words += ["--max-age", String(maximumAge)] }
    if isForced { words += ["--prompt", "login"] }
    if let scope { words += ["--scope", ShellWord.quoted(scope)] }
    for resource in resources { words += ["--resource", ShellWord.quoted(resource)] }
    return words
  }
}

extension Remedy.Registering {
  fileprivate func words(for profile: ProfileName?) -> [String] {
    var words: [String] = []
    switch way {
    case .new: break
    case .replacing: words.append("--replace")
    case .updating: words.append("update")
    }
    if case .existing(let id) = client {
      words += ["--client-id", ShellWord.quoted(id ?? "ID")]
    }
    if needsSecret { words += ["--client-secret-file", "-"] }
    if let authenticationMethod {
      words += ["--auth-method", ShellWord.quoted(authenticationMethod)]
    }
    if needsCertificate { words += ["--client-certificate", "FILE", "--client-key-file", "FILE"] }
    switch redirectURI {
    case .usual: break
    case .otherPort: words += ["--callback-port", "PORT"]
    case .ownScheme: words += ["--redirect-uri", "sdkctl.\(profile?.inScheme ?? "app"):/callback"]
    }
    return words
  }
}

extension ProfileName {
  /// The name, or what stands for it, as part of a URL scheme.
  fileprivate var inScheme: String {
    let kept = description.asciiLowercased.map { $0 == "_" ? "-" : $0 }
    let text = String(kept)
    return text.hasSuffix(".") || text.containsText("..") ? "app" : text
  }
}

extension FileProtection {
  fileprivate var commandLine: String {
    let command =
      switch change {
      case .owner(let user): "chown \(user)"
      case .mode(let mode): "chmod \(String(mode, radix: 8))"
      case .withoutForeignWriting: "chmod go-w"
      }
    // A name that begins with a dash would be read as options.
    let files = paths.map { ShellWord.quoted($0.hasPrefix("-") ? "./\($0)" : $0) }
    return ([command] + files).joined(separator: " ")
  }
}
