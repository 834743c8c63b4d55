import CPOSIX
import Glibc
import Primitives

/// Signs that another program may observe or change this process.
package struct ProcessProbe: Sendable {
  /// The process that traces it; `nil` for none.
  package var tracer: Int32?
  /// The libraries that the environment preloads.
  package var preloaded: [String] = []
  /// Whether a crash would write its memory to a core file.
  package var dumpsCore = false
  /// Whether it runs with the rights of root.
  package var isRoot = false
  /// The files that are mapped as code, beside the program itself.
  package var libraries: [String] = []
  /// Where the dynamic linker looks first, as the environment says (`LD_LIBRARY_PATH`).
  package var libraryPath: [String] = []
  /// Whether the processor says that a hypervisor runs it, or a process emulates it.
  package var isEmulated = false

  package init() {}

  package static func current(_ environment: Environment = .current) -> ProcessProbe {
    var probe = ProcessProbe()
    probe.tracer = tracer(status: text("/proc/self/status"))
    probe.preloaded = preloaded(environment)
    probe.dumpsCore = cposix_may_dump() != 0
    probe.isRoot = geteuid() == 0 || getuid() == 0
    probe.libraries = libraries(maps: text("/proc/self/maps"), program: Paths.executable)
    probe.libraryPath = libraryPath(environment["LD_LIBRARY_PATH"] ?? "")
    probe.isEmulated = isEmulated(processor: text("/proc/cpuinfo"))
    return probe
  }

  /// The tracer in the status of a process (`/proc/PID/status`).
  static func tracer(status: String) -> Int32? {
    for line in status.split(separator: "\n") where line.hasPrefix("TracerPid:") {
      let number = line.dropFirst("TracerPid:".count).filter { $0.isNumber }
      return Int32(number).flatMap { $0 == 0 ? nil : $0 }
    }
    return nil
  }

  /// The libraries that the dynamic linker loads first (ld.so(8)).
  static func preloaded(_ environment: Environment) -> [String] {
    ["LD_PRELOAD", "LD_AUDIT"].flatMap { name in
      (environment[name] ?? "").split { $0 == ":" || $0 == " " }.map(String.init)
    }
  }

  /// The files in a table of mappings (`/proc/PID/maps`) that are executable, once each.
  static func libraries(maps: String, program: String?) -> [String] {
    var found: [String] = []
    for line in maps.utf8.split(separator: UInt8(ascii: "\n")) {
      // Addresses, rights, offset, device, inode, and the path after them.
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, fields[1].contains(UInt8(ascii: "x")) else { continue }
      let path = String(Substring(fields[5].drop { $0 == UInt8(ascii: " ") }))
      guard path.hasPrefix("/"), path != program, !found.contains(path) else { continue }
      found.append(path)
    }
    return found
  }

  /// The directories of a search path; an empty one is the current directory (ld.so(8)).
  static func libraryPath(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    return text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
      .map { $0.isEmpty ? "." : String($0) }
  }

  /// Whether the first processor has the flag `hypervisor`, or is one that QEMU made up.
  static func isEmulated(processor: String) -> Bool {
    for line in processor.split(separator: "\n") {
      if line.hasPrefix("flags"), line.split(separator: " ").contains("hypervisor") { return true }
      if line.hasPrefix("model name"), line.containsText("QEMU") { return true }
    }
    return false
  }

  private static func text(_ path: String) -> String {
    String(decoding: (try? FileReader.read(path, limit: 4 << 20)) ?? [], as: UTF8.self)
  }
}
