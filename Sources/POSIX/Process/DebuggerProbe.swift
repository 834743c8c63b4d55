/// Signs that another program reads or changes this process.
package struct DebuggerProbe: Sendable, Hashable {
  /// The process that traces this one.
  package let tracer: Int32?
  /// Libraries that the environment preloads.
  package let preloaded: [String]

  package var isClean: Bool { tracer == nil && preloaded.isEmpty }

  package init(tracer: Int32?, preloaded: [String]) {
    self.tracer = tracer
    self.preloaded = preloaded
  }

  package static func inspect(_ environment: Environment = .current) -> DebuggerProbe {
    let status = try? FileReader.read("/proc/self/status", limit: 65_536)
    return DebuggerProbe(
      status: String(decoding: status ?? [], as: UTF8.self), environment: environment)
  }

  init(status: String, environment: Environment) {
    tracer = Self.tracer(in: status)
    preloaded = ["LD_PRELOAD", "LD_AUDIT"].flatMap { name in
      (environment[name] ?? "").split { $0 == ":" || $0 == " " }.map(String.init)
    }
  }

  private static func tracer(in status: String) -> Int32? {
    for line in status.split(separator: "\n") where line.hasPrefix("TracerPid:") {
      let number = line.dropFirst("TracerPid:".count).filter { $0.isNumber }
      return Int32(number).flatMap { $0 == 0 ? nil : $0 }
    }
    return nil
  }
}
