import JSON
import POSIX
import Primitives

/// The requirements of a profile for the process that sends requests.
struct ProcessPolicy: Sendable {
  let refusesDebugger: Bool
  let refusesTampering: Bool
  let refusesRoot: Bool
  let refusesEmulation: Bool
  /// Directories whose libraries are accepted, in addition to the system's.
  let libraryDirectories: [String]

  init(_ profile: Profile) {
    refusesDebugger = profile.refusesDebugger
    refusesTampering = profile.refusesTampering
    refusesRoot = profile.refusesRoot
    refusesEmulation = profile.refusesEmulation
    libraryDirectories = profile.libraryDirectories
  }

  /// Whether there is a requirement.
  var isActive: Bool {
    refusesDebugger || refusesTampering || refusesRoot || refusesEmulation
  }

  /// Why the process may not send requests; `nil` if it may.
  func violation(by process: ProcessProbe) -> String? {
    if refusesDebugger, let tracer = process.tracer {
      return "the process \(tracer) traces this one (debugDetection)"
    }
    if refusesDebugger || refusesTampering, let library = process.preloaded.first {
      return "LD_PRELOAD or LD_AUDIT loads '\(library)' (debugDetection)"
    }
    if refusesDebugger, process.dumpsCore {
      return "a crash would write this process's memory to a file (debugDetection)"
    }
    if refusesTampering, let library = process.libraries.first(where: isForeign) {
      return "the library '\(library)' is not from a system directory (tamperingProtection)"
    }
    // Libraries that are loaded later would come from it.
    if refusesTampering, let directory = process.libraryPath.first(where: { isForeign($0 + "/") }) {
      return "LD_LIBRARY_PATH has '\(directory)', which is not a system directory "
        + "(tamperingProtection)"
    }
    if refusesRoot, process.isRoot { return "it runs as root (rootDetection)" }
    if refusesEmulation, process.isEmulated {
      return "the processor belongs to a virtual machine (emulationDetection)"
    }
    return nil
  }

  /// Whether a library is not in an accepted directory.
  ///
  /// The path of a library that was deleted after it was loaded ends with ` (deleted)`.
  private func isForeign(_ library: String) -> Bool {
    let directories = Self.systemDirectories + libraryDirectories
    return library.hasSuffix(" (deleted)") || library.split(separator: "/").contains("..")
      || !directories.contains { library.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }

  /// The default directories of the dynamic linker.
  private static let systemDirectories = ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64"]
}

/// Checks this process against the policy of a profile.
struct ProcessCheck: Sendable {
  let profile: ProfileName
  let policy: ProcessPolicy
  /// Looks at this process.
  let probe: @Sendable () -> ProcessProbe
  /// Loads the libraries that send requests: their paths can be checked only then.
  let loadLibraries: @Sendable () -> Void

  /// Checks that this process meets the requirements of the profile.
  ///
  /// - Throws: ``SDKError/Code/policy`` with the requirement that it does not meet.
  func require() throws(SDKError) {
    if policy.refusesTampering { loadLibraries() }
    guard policy.isActive, let violation = policy.violation(by: probe()) else { return }
    throw SDKError(
      .policy, "could not send the request: \(violation)", resource: .appIntegrityFailure,
      subject: profile.description)
  }
}
