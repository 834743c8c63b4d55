import JSON
import POSIX

/// What a profile requires of the process that sends requests, and why a process does not meet it.
struct ProcessPolicy: Sendable {
  let refusesDebugger: Bool
  let refusesTampering: Bool
  let refusesRoot: Bool
  let refusesEmulation: Bool
  /// Directories whose libraries are accepted beside the system's.
  let libraryDirectories: [String]

  init(_ profile: Profile) {
    refusesDebugger = profile["debugDetection"]?.bool ?? false
    refusesTampering = profile["tamperingProtection"]?.bool ?? false
    refusesRoot = profile["rootDetection"]?.bool ?? false
    refusesEmulation = profile["emulationDetection"]?.bool ?? false
    let named = profile["libraryDirectories"]?.string ?? ""
    libraryDirectories = named.split(separator: " ").map(String.init)
  }

  /// Whether the process has to be looked at.
  var isActive: Bool {
    refusesDebugger || refusesTampering || refusesRoot || refusesEmulation
  }

  /// Why the process may not send requests; `nil` if it may.
  func violation(by process: ProcessProbe) -> String? {
    if refusesDebugger, let tracer = process.debugger.tracer {
      return "the process \(tracer) traces this one (debugDetection)"
    }
    if refusesDebugger || refusesTampering, let library = process.debugger.preloaded.first {
      return "LD_PRELOAD or LD_AUDIT loads '\(library)' (debugDetection)"
    }
    if refusesDebugger, process.dumpsCore {
      return "a crash would write this process's memory to a file (debugDetection)"
    }
    if refusesTampering, let library = process.libraries.first(where: isForeign) {
      return "the library '\(library)' is not from a system directory (tamperingProtection)"
    }
    // What is loaded later would come from there.
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

  /// A library that was deleted after it was loaded has another path: it is foreign too.
  private func isForeign(_ library: String) -> Bool {
    let directories = Self.systemDirectories + libraryDirectories
    return library.hasSuffix(" (deleted)") || library.split(separator: "/").contains("..")
      || !directories.contains { library.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }

  /// Where the dynamic linker looks without being told.
  private static let systemDirectories = ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64"]
}

extension ResourceService {
  /// Refuses to send requests from a process that the profile does not allow to.
  ///
  /// - Throws: ``SDKError/Code/policy`` with the reason.
  func checkProcess() throws(SDKError) {
    let policy = environment.requestRules.processPolicy
    // Those that send the request must be there to be looked at.
    if policy.refusesTampering { environment.options.loadLibraries() }
    guard policy.isActive, let violation = policy.violation(by: environment.options.process())
    else { return }
    throw SDKError(
      .policy, "could not send the request: \(violation)", subject: profile.name.description)
  }
}
