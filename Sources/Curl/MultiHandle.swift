import CCurl

/// The libcurl multi handle of one loop.
// Sendable: only `wakeup` is called from other threads, and libcurl allows that.
final class MultiHandle: @unchecked Sendable {
  private let raw: UnsafeMutableRawPointer  // <CURLM>

  init?() {
    guard let raw = ccurl_multi_init() else { return nil }
    self.raw = raw
    ccurl_multi_set_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  deinit { ccurl_multi_cleanup(raw) }

  func add(_ easy: EasyHandle) -> Bool { ccurl_multi_add(raw, easy.raw) == CURLM_OK }

  func remove(_ easy: EasyHandle) { ccurl_multi_remove(raw, easy.raw) }

  /// Does what can be done without waiting; `false` when libcurl is in no state to go on.
  func perform() -> Bool {
    var running: Int32 = 0
    return ccurl_multi_perform(raw, &running) == CURLM_OK
  }

  /// The next transfer that has ended.
  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
    var code = CURLE_OK
    return ccurl_multi_finished(raw, &code).map { ($0, code) }
  }

  /// Waits for a socket, a timer of libcurl's, or ``wakeup()``.
  func poll() -> Bool { ccurl_multi_poll(raw, 3_600_000) == CURLM_OK }

  func wakeup() { ccurl_multi_wakeup(raw) }
}
