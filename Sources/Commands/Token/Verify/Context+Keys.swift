import JOSE
import POSIX
import Primitives
import SDKCore

extension Failure {
  static func unusableKey(_ cause: String) -> Failure {
    Failure(.configuration, .keyInvalid, "could not use the key: \(cause)")
  }

  static func usingKey<Value>(_ body: () throws(JOSEError) -> Value) throws(Failure) -> Value {
    do throws(JOSEError) { return try body() } catch { throw unusableKey(error.message) }
  }
}

extension Context {
  /// The keys of a file, which must contain at least one.
  ///
  /// A command that also takes shared secrets as text has a hint for them.
  func keyFile(_ path: String, orSecret takesSecret: Bool = false) throws -> KeyFile {
    // Errors name the file, and must not show a token.
    if let failure = Failure.tokenOperand(path), !FileStatus.exists(path) { throw failure }
    let content = try readKeys(path, "key")
    let file: KeyFile
    do {
      file = try KeyFile(content.bytes)
    } catch {
      throw Failure(
        .configuration, .keyInvalid,
        "could not read the key: '\(Visible.line(path))': \(error.message)",
        hints: OpenSSHKey(content.bytes).map { [$0.conversion(of: path)] }
          ?? (takesSecret && SharedSecret.line(content.bytes) != nil
            ? ["if it is a shared secret, name it by --secret-file"] : []))
    }
    if file.hasSecret { try requireProtection(of: content) }
    return file
  }

  /// Finds keys with the trust settings of a profile: of the one that is named, or of the one that
  /// has the issuer, of several the current one; without any, with those of the system and without pins.
  func keyService(ofIssuer issuer: String?) throws -> KeyService {
    let isNamed = globals.profile != nil || environment["SDKCTL_PROFILE"]?.isEmpty == false
    if isNamed { return try session().keys }
    let store = try store()
    let names = try issuer.map { try store.names(ofIssuer: $0) } ?? []
    if names.count > 1, let current = try? profileName(), names.contains(current) {
      return try session().keys
    }
    if let name = names.first {
      guard names.count == 1 else {
        throw Failure(
          .configuration, .noProfile,
          "could not choose a profile by its issuer: \(names.count) have it, and none of them is current",
          hints: names.prefix(3).map {
            ShellWord.line(["sdkctl", "-p", "\($0)"] + ports.arguments)
          })
      }
      return try with(profile: name.description).session().keys
    }
    return KeyService(
      in: store, options: try options(),
      now: ports.now, network: network)
  }
}
