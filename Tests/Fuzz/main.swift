// A fuzzer (libFuzzer) of one target: `fuzz TARGET [options and folders of libFuzzer]`. `Tests/Fuzz/run` builds it.

import FuzzTargets
import Glibc

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

nonisolated(unsafe) private var target = FuzzTarget.json

private func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

guard CommandLine.arguments.count > 1, let chosen = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
  for target in FuzzTarget.allCases { print(target.rawValue) }
  exit(CommandLine.arguments.count > 1 ? 2 : 0)
}
target = chosen
// The name of the target is no argument of the library.
let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
  capacity: Int(CommandLine.argc))
arguments[0] = CommandLine.unsafeArgv[0]
for index in 2..<max(2, Int(CommandLine.argc)) {
  arguments[index - 1] = CommandLine.unsafeArgv[index]
}
arguments[Int(CommandLine.argc) - 1] = nil
var count = CommandLine.argc - 1
var list = arguments
exit(runFuzzer(&count, &list, test))
