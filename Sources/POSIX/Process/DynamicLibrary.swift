import Glibc

/// A shared library that may or may not be on the machine.
///
/// It is never closed: functions of it may be in use anywhere.
package struct DynamicLibrary: Sendable {
  // The handle; as a number, because a pointer is not Sendable.
  private let handle: UInt

  /// Opens the first of the names that can be opened.
  package init?(_ names: [String]) {
    for name in names {
      if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        self.handle = UInt(bitPattern: handle)
        return
      }
    }
    return nil
  }

  /// A function of it, as the `@convention(c)` type it has.
  package func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard
      MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size,
      let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: handle), name)
    else { return nil }
    return unsafeBitCast(symbol, to: type)
  }
}
