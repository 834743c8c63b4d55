// What libFuzzer calls; it has the `main` of the program. `Tests/Fuzz/run` builds it, and names the target in FUZZ_TARGET.

import FuzzTargets
import Glibc

private let target: FuzzTarget = {
  guard let name = getenv("FUZZ_TARGET"), let target = FuzzTarget(rawValue: String(cString: name))
  else { fatalError("FUZZ_TARGET names no target") }
  return target
}()

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
