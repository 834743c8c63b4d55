import Glibc

/// What names this process among those of several machines.
package enum ProcessName {
  /// The number of the process.
  package static var number: Int32 { getpid() }

  /// The name of the machine and the number of the process.
  package static var text: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "process \(getpid())" }
    let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "\(String(decoding: name, as: UTF8.self)), process \(getpid())"
  }
}
