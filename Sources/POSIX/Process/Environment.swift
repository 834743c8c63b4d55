import Glibc

/// Environment variables, as a value.
///
/// Values keep their bytes; texts are read as UTF-8.
package struct Environment: Sendable, Hashable {
  private var values: [String: [UInt8]]
  private let accountHome: String?

  package init(_ values: [String: String] = [:]) {
    self.init(values: values.mapValues { Array($0.utf8) }, accountHome: nil)
  }

  /// The environment of this process, read now.
  package static var current: Environment {
    var values: [String: [UInt8]] = [:]
    var entry = environ
    while let text = entry.pointee {
      let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: bytes[..<equals], as: UTF8.self)
        // Of two with the same name the first is used, as with getenv.
        if values[name] == nil { values[name] = Array(bytes[(equals + 1)...]) }
      }
      entry += 1
    }
    let needsAccount = values["HOME"]?.isEmpty ?? true
    return Environment(values: values, accountHome: needsAccount ? homeOfUser() : nil)
  }

  package subscript(_ name: String) -> String? {
    get { values[name].map { String(decoding: $0, as: UTF8.self) } }
    set { values[name] = newValue.map { Array($0.utf8) } }
  }

  /// The home directory: `HOME`, else that of the user database, as for a service of systemd.
  package var home: String? {
    if let home = self["HOME"], !home.isEmpty { return home }
    return accountHome
  }

  /// Whether a variable is set to what is not UTF-8, so that its text names another file.
  package func isBroken(_ name: String) -> Bool {
    values[name].map { String(validating: $0, as: UTF8.self) == nil } ?? false
  }

  package var names: [String] { values.keys.sorted() }

  /// Without some variables, for children that must not see them.
  package func removing(_ names: [String]) -> Environment {
    var copy = self
    for name in names { copy.values[name] = nil }
    return copy
  }

  /// `NAME=VALUE` entries for a new process, in the order of the names.
  var entries: [[UInt8]] {
    values.sorted { $0.key < $1.key }.map { Array($0.key.utf8) + [UInt8(ascii: "=")] + $0.value }
  }

  /// Variables with values of any bytes, and the home directory of the user database.
  package init(values: [String: [UInt8]], accountHome: String?) {
    self.values = values
    self.accountHome = accountHome
  }

  private static func homeOfUser() -> String? {
    var account = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let space = buffer.baseAddress else { return nil }
      getpwuid_r(getuid(), &account, space, buffer.count, &found)
      let directory = found.flatMap { _ in account.pw_dir }
      return directory.flatMap { String(validatingCString: $0) }
    }
  }
}
