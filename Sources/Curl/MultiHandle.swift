import CCurl

/// What performs the transfers of a loop: libcurl, or a fake in a test.
protocol TransferDriver: Sendable {
  func add(_ easy: EasyHandle) -> Bool
  func remove(_ easy: EasyHandle)
  /// Does what can be done without waiting; `false` if the driver cannot go on.
  func perform() -> Bool
  /// The next transfer that has ended.
  func finished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)?
  /// Waits for a socket, a timer of libcurl, ``wakeup()``, or one of the descriptors to be readable;
  /// returns the descriptors that are readable, `nil` if the driver cannot go on.
  func poll(also descriptors: [Int32]) -> [Int32]?
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
    // libcurl's own limit depends on how many transfers there are at the moment: it would close
    // connections that the next requests of a batch need.
    ccurl_multi_set_long(raw, CURLMOPT_MAXCONNECTS, 1000)
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

  func poll(also descriptors: [Int32]) -> [Int32]? {
    var entries = descriptors.map {
      curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    }
    var count: Int32 = 0
    // libcurl wants a time, after which the loop waits again.
    let code = ccurl_multi_poll(raw, &entries, UInt32(entries.count), 3_600_000, &count)
    return code == CURLM_OK ? entries.filter { $0.revents != 0 }.map(\.fd) : nil
  }

  func wakeup() { ccurl_multi_wakeup(raw) }
}
