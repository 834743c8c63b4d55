import JSON
import POSIX
import Primitives

struct ProcessCheck: Sendable {
  let profile: Profile
  let probe: @Sendable () -> ProcessProbe
  /// Loads the libraries that send requests: their paths can be checked only then.
  let loadLibraries: @Sendable () -> Void

  func require() throws(SDKError) {
    guard
      profile.refusesDebugger || profile.refusesTampering || profile.refusesRoot
        || profile.refusesEmulation
    else { return }
    if profile.refusesTampering { loadLibraries() }
    guard let violation = violation(by: probe()) else { return }
    throw SDKError(
      .policy, "could not send the request: \(violation)", resource: .appIntegrityFailure,
      subject: profile.name.description)
  }

  private func violation(by process: ProcessProbe) -> String? {
    if profile.refusesDebugger, let tracer = process.tracer {
      return "the process \(tracer) traces this one (debugDetection)"
    }
    if profile.refusesDebugger || profile.refusesTampering, let library = process.preloaded.first {
      return "LD_PRELOAD or LD_AUDIT loads '\(library)' (debugDetection)"
    }
    if profile.refusesDebugger, process.dumpsCore {
      return "a crash would write this process's memory to a file (debugDetection)"
    }
    if profile.refusesTampering, let library = process.libraries.first(where: isForeign) {
      return "the library '\(library)' is not from a system directory (tamperingProtection)"
    }
    // Libraries that are loaded later would come from it.
    if profile.refusesTampering,
      let directory = process.libraryPath.first(where: { isForeign($0 + "/") })
    {
      return "LD_LIBRARY_PATH has '\(directory)', which is not a system directory "
        + "(tamperingProtection)"
    }
    if profile.refusesRoot, process.isRoot { return "it runs as root (rootDetection)" }
    if profile.refusesEmulation, process.isEmulated {
      return "the processor belongs to a virtual machine (emulationDetection)"
    }
    return nil
  }

  /// Whether a library is not in an accepted directory.
  ///
  /// The path of a library that was deleted after it was loaded ends with ` (deleted)`.
  private func isForeign(_ library: String) -> Bool {
    let directories = Self.systemDirectories + profile.libraryDirectories
    return library.hasSuffix(" (deleted)") || library.split(separator: "/").contains("..")
      || !directories.contains { library.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }

  private static let systemDirectories = ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64"]
}
