import JOSE
import POSIX
import Primitives
import SDKCore

extension Context {
  /// The keys of a file, which must contain at least one.
  func keyFile(_ path: String) throws -> KeyFile {
    // Errors name the file, and must not show a token.
    if let failure = Failure.tokenOperand(path), !FileStatus.exists(path) { throw failure }
    let content = try readKeys(path, "key")
    let file: KeyFile
    do {
      file = try KeyFile(content.bytes)
    } catch {
      throw Failure(
        .configuration, "key_invalid",
        "could not read the key: '\(Visible.line(path))': \(error.message)")
    }
    if file.hasSecret { try requireProtection(of: content) }
    return file
  }

  /// Finds keys with the trust settings of a profile: of the one that is named, or of the one that
  /// has the issuer; without any, with those of the system and without pins.
  func keyService(ofIssuer issuer: String?) throws -> KeyService {
    let isNamed = globals.profile != nil || environment["SDKCTL_PROFILE"]?.isEmpty == false
    if isNamed { return try session().keys }
    let store = try store()
    if let issuer, let name = try? store.name(ofIssuer: issuer) {
      var globals = globals
      globals.profile = name.description
      return try Context(globals: globals, ports: ports).session().keys
    }
    return KeyService(
      in: store, options: try options(),
      now: ports.now, network: network)
  }
}
