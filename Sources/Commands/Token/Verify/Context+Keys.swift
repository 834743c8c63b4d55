import JOSE
import POSIX
import Primitives
import SDKCore

extension Failure {
  static func unusableKey(_ cause: String) -> Failure {
    Failure(.keyInvalid, "could not use the key: \(cause)")
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
        .keyInvalid, "could not read the key: '\(Visible.line(path))': \(error.message)",
        hints: OpenSSHKey(content.bytes).map { [$0.conversion(of: path)] }
          ?? (takesSecret && content.bytes.first != UInt8(ascii: "{")
            && SharedSecret.line(content.bytes) != nil
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
          .noProfile,
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

/// A key in the form of OpenSSH, which is converted before it is used here.
struct OpenSSHKey {
  private let isPrivate: Bool
  private let isEd25519: Bool

  /// Recognises a key; `nil` for any other file.
  init?(_ file: [UInt8]) {
    let text = String(decoding: file, as: UTF8.self)
    isPrivate = text.containsText("BEGIN OPENSSH PRIVATE KEY")
    guard isPrivate || text.hasPrefix("ssh-") || text.hasPrefix("ecdsa-sha2-") else { return nil }
    let lines = text.split(whereSeparator: \.isNewline)
    let body =
      isPrivate
      ? lines.filter { !$0.hasPrefix("-----") }.joined()
      : "\(lines[0].split(separator: " ").dropFirst().first ?? "")"
    isEd25519 =
      Base64.decode(body.utf8).map { String(decoding: $0, as: UTF8.self) }?.containsText(
        "ssh-ed25519") == true
  }

  /// The command that writes it in a form that is read here; ssh-keygen does not write Ed25519 keys in another one.
  func conversion(of path: String) -> String {
    let (file, copy) = (
      ShellWord.quoted(path), ShellWord.quoted(path + (isEd25519 ? ".der" : ".pem"))
    )
    return switch (isPrivate, isEd25519) {
    case (false, false): "ssh-keygen -e -m PKCS8 -f \(file) > \(copy)"
    case (true, false): "cp \(file) \(copy) && ssh-keygen -p -N '' -m PKCS8 -f \(copy)"
    // The headers of an Ed25519 key (RFC 8410), and its bytes out of the file, which has no passphrase.
    case (false, true):
      "(printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000'; "
        + "cut -d ' ' -f 2 \(file) | base64 -d | tail -c 32) > \(copy)"
    case (true, true):
      "(umask 077; (printf '\\060\\056\\002\\001\\000\\060\\005\\006\\003\\053\\145\\160\\004\\042\\004\\040'; "
        + "grep -v -e ----- \(file) | base64 -d | tail -c +162 | head -c 32) > \(copy))"
    }
  }
}
