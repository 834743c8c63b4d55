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

  /// Sets what is called before a request is sent.
  func setRequest(_ function: ccurl_request_function) throws(CurlFailure) {
    try check(ccurl_set_request_function(raw, function))
  }

  /// Sets what is called with each socket before it connects.
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

  /// Sets a body, which libcurl copies.
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

/// A libcurl call that failed.
struct CurlFailure: Error {
  let code: CURLcode
}
