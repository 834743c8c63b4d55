/// How a program ended.
package enum ExitStatus: Sendable, Hashable {
  case exited(Int32)
  case signalled(Int32)

  /// From the answer of `cposix_wait`.
  init(_ answer: Int32) {
    self = answer >= 256 ? .signalled(answer - 256) : .exited(answer)
  }

  package var isSuccess: Bool { self == .exited(0) }
}
