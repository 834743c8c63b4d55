import CCurl

/// What performs the transfers of a loop: libcurl, or a fake in a test.
protocol TransferDriver: Sendable {
  func add(_ easy: EasyHandle) -> Bool
  func remove(_ easy: EasyHandle)
  /// Does what can be done without waiting; `false` if the driver cannot go on.
  func perform() -> Bool
  /// The next transfer that has ended.
  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)?
  /// Waits for a socket, a timer of libcurl, ``wakeup()`` or the time; `false` as above.
  func poll(atMost time: Duration) -> Bool
  func wakeup()
}

/// The libcurl multi handle of one loop.
// Sendable: only `wakeup` is called from other threads, and libcurl allows that.
final class MultiHandle: TransferDriver, @unchecked Sendable {
  private let raw: UnsafeMutableRawPointer  // <CURLM>

  init?() {
    guard let raw = ccurl_multi_init() else { return nil }
    self.raw = raw
    ccurl_multi_set_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  deinit { ccurl_multi_cleanup(raw) }

  func add(_ easy: EasyHandle) -> Bool { ccurl_multi_add(raw, easy.raw) == CURLM_OK }

  func remove(_ easy: EasyHandle) { ccurl_multi_remove(raw, easy.raw) }

  func perform() -> Bool {
    var running: Int32 = 0
    return ccurl_multi_perform(raw, &running) == CURLM_OK
  }

  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
    var code = CURLE_OK
    return ccurl_multi_finished(raw, &code).map { ($0, code) }
  }

  func poll(atMost time: Duration) -> Bool {
    ccurl_multi_poll(raw, Int32(clamping: time.milliseconds)) == CURLM_OK
  }

  func wakeup() { ccurl_multi_wakeup(raw) }
}
