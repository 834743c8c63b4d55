import JOSE
import POSIX
import Primitives
import SDKCore

extension Context {
  /// The keys of a file, which must contain at least one.
  func keyFile(_ path: String) throws -> KeyFile {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try input.readOperand(path, limit: 1 << 20)
    } catch {
      let failure = Failure.unreadableInput(error, operand: path)
      guard failure.exit != .usage else { throw failure }
      throw Failure.unreadable("the key", error)
    }
    do {
      return try KeyFile(bytes)
    } catch {
      throw Failure(
        .configuration, "key_invalid",
        "could not read the key: '\(Visible.line(path))': \(error.message)")
    }
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
