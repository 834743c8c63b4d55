import CCurl

/// One libcurl easy handle, and the memory that libcurl only borrows.
///
/// Used on one thread at a time.
final class EasyHandle {
  /// The handle, which also identifies the transfer to the multi handle.
  let raw: UnsafeMutableRawPointer  // <CURL>
  private let errorText: UnsafeMutablePointer<CChar>
  private var lists: [UnsafeMutablePointer<curl_slist>?] = []

  init() throws(CurlFailure) {
    guard let raw = ccurl_easy_init() else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
    self.raw = raw
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    ccurl_easy_cleanup(raw)
    errorText.deallocate()
    for list in lists { ccurl_slist_free_all(list) }
  }

  func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
    try check(ccurl_set_long(raw, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) throws(CurlFailure) {
    try set(option, value ? 1 : 0)
  }

  func set(_ option: CURLoption, offset: Int64) throws(CurlFailure) {
    try check(ccurl_set_offset(raw, option, offset))
  }

  /// Sets a text, which libcurl copies; `nil` removes libcurl's default.
  func set(_ option: CURLoption, _ value: String?) throws(CurlFailure) {
    try check(ccurl_set_string(raw, option, value))
  }

  /// Sets what the callbacks get; the caller keeps it alive.
  func set(_ option: CURLoption, box: UnsafeMutableRawPointer) throws(CurlFailure) {
    try check(ccurl_set_pointer(raw, option, box))
  }

  /// Sets bytes, which libcurl copies.
  func set(_ option: CURLoption, bytes: [UInt8]) throws(CurlFailure) {
    try check(ccurl_set_blob(raw, option, bytes, bytes.count))
  }

  func set(_ option: CURLoption, _ function: ccurl_data_function) throws(CurlFailure) {
    try check(ccurl_set_data_function(raw, option, function))
  }

  func setSeek(_ function: ccurl_seek_function) throws(CurlFailure) {
    try check(ccurl_set_seek_function(raw, function))
  }

  func setTLSContext(_ function: ccurl_tls_function) throws(CurlFailure) {
    try check(ccurl_set_tls_function(raw, function))
  }

  func setRequest(_ function: ccurl_request_function) throws(CurlFailure) {
    try check(ccurl_set_request_function(raw, function))
  }

  func setSocket(_ function: ccurl_socket_function) throws(CurlFailure) {
    try check(ccurl_set_socket_function(raw, function))
  }

  /// Sets a list of lines; `bytes` are further lines, which are not UTF-8.
  func set(
    _ option: CURLoption, lines: [String], bytes: [[UInt8]] = []
  ) throws(CurlFailure) {
    var list: UnsafeMutablePointer<curl_slist>?
    let further = bytes.map { line in line.map { CChar(bitPattern: $0) } + [0] }
    for line in lines.map({ Array($0.utf8CString) }) + further {
      guard let longer = ccurl_slist_append(list, line) else {
        ccurl_slist_free_all(list)
        throw CurlFailure(code: CURLE_OUT_OF_MEMORY)
      }
      list = longer
    }
    lists.append(list)
    try check(ccurl_set_list(raw, option, list))
  }

  func setBody(_ bytes: [UInt8]) throws(CurlFailure) {
    try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
    // Of an empty array there is no address.
    try check(ccurl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, bytes.isEmpty ? [0] : bytes))
  }

  /// Suspends both directions of the transfer, or resumes them.
  func pause(_ isPaused: Bool) {
    ccurl_easy_pause(raw, isPaused ? CURLPAUSE_ALL : CURLPAUSE_CONT)
  }

  /// The TLS connection that the transfer uses, if no other may use it at the same time; `nil` for
  /// HTTP/2, and when the transfer has ended.
  var exclusiveConnection: UnsafeRawPointer? { ccurl_exclusive_connection(raw) }

  /// What was given to ``HandshakeCheck/install(in:)`` for the connection that the transfer uses.
  var connectionCheck: HandshakeCheck? {
    ccurl_connection_box(raw).map {
      Unmanaged<HandshakeCheck>.fromOpaque($0).takeUnretainedValue()
    }
  }

  func number(_ info: CURLINFO) -> Int { ccurl_get_long(raw, info) }

  /// A time in microseconds, or a size in bytes.
  func count(_ info: CURLINFO) -> Int64 { ccurl_get_offset(raw, info) }

  /// What was collected of each certificate of the server.
  var certificates: [[String]] {
    var all: [[String]] = []
    while var line = ccurl_certificate(raw, Int32(all.count)) {
      var lines: [String] = []
      while true {
        lines.append(String(cString: line.pointee.data))
        guard let next = line.pointee.next else { break }
        line = UnsafePointer(next)
      }
      all.append(lines)
    }
    return all
  }

  func text(_ info: CURLINFO) -> String? { ccurl_get_string(raw, info).map { String(cString: $0) } }

  /// libcurl's own message about the failure.
  var message: String { String(cString: errorText) }

  private func check(_ code: CURLcode) throws(CurlFailure) {
    guard code == CURLE_OK else { throw CurlFailure(code: code) }
  }
}

struct CurlFailure: Error {
  let code: CURLcode
}

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
