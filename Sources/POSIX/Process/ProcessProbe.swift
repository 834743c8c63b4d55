import CPOSIX
import Glibc
import Primitives

/// What this process runs as and with, as far as it shows that another program may observe it.
package struct ProcessProbe: Sendable {
  /// Who traces it, and what the environment preloads.
  package var debugger: DebuggerProbe
  /// Whether a crash would write its memory to a core file.
  package var dumpsCore: Bool
  /// Whether it runs with the rights of root.
  package var isRoot: Bool
  /// The files that are mapped as code, beside the program itself.
  package var libraries: [String]
  /// Where the dynamic linker looks first, as the environment says (`LD_LIBRARY_PATH`).
  package var libraryPath: [String]
  /// Whether the processor says that a hypervisor runs it, or a process emulates it.
  package var isEmulated: Bool

  package init(
    debugger: DebuggerProbe, dumpsCore: Bool, isRoot: Bool, libraries: [String],
    libraryPath: [String] = [], isEmulated: Bool
  ) {
    self.debugger = debugger
    self.dumpsCore = dumpsCore
    self.isRoot = isRoot
    self.libraries = libraries
    self.libraryPath = libraryPath
    self.isEmulated = isEmulated
  }

  /// Looks at this process now.
  package static func current(_ environment: Environment = .current) -> ProcessProbe {
    ProcessProbe(
      debugger: .inspect(environment), dumpsCore: cposix_may_dump() != 0,
      isRoot: geteuid() == 0 || getuid() == 0,
      libraries: libraries(maps: text("/proc/self/maps"), program: Paths.program),
      libraryPath: libraryPath(environment["LD_LIBRARY_PATH"] ?? ""),
      isEmulated: isEmulated(processor: text("/proc/cpuinfo")))
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

extension Paths {
  /// The file of this program; `nil` if the system does not know it.
  static var program: String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
