/// Easy handles that have ended a transfer and keep the options that all transfers share.
///
/// To make a handle and to set its forty options takes longer than a short transfer.
struct HandlePool {
  private var handles: [EasyHandle] = []

  mutating func take() -> EasyHandle? { handles.popLast() }

  /// Keeps the handle of a transfer that has ended, for another one.
  mutating func keep(_ handle: EasyHandle, of transfer: Transfer) {
    guard transfer.leavesHandleReusable, handles.count < Self.limit else { return }
    handle.clear()
    handles.append(handle)
  }

  /// How many handles are kept: more transfers seldom run at the same time.
  private static let limit = 64
}
