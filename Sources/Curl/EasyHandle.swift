import CCurl
import Primitives

/// One libcurl easy handle, and the memory that libcurl only borrows.
///
/// Used on one thread at a time.
final class EasyHandle {
  /// The handle, which also identifies the transfer to the multi handle.
  let raw: UnsafeMutableRawPointer  // <CURL>
  private let errorText: UnsafeMutablePointer<CChar>
  private var lists: [CURLoption.RawValue: UnsafeMutablePointer<curl_slist>] = [:]
  private var body: UnsafeMutableRawBufferPointer?
  /// The header lines that are set.
  private var fields: [String]?
  /// Whether it has the options that all transfers of a transport share.
  var hasSharedOptions = false
  /// What is told of the request, if the multi handle has set its own options.
  var packets: PacketGroups?

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
    for list in lists.values { ccurl_slist_free_all(list) }
    body?.deallocate()
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

  /// Sets what is called when a socket was opened, and what closes it.
  func setSocket(
    opened: ccurl_socket_function, closed: ccurl_close_function
  ) throws(CurlFailure) {
    try check(ccurl_set_socket_functions(raw, opened, closed))
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
    try check(ccurl_set_list(raw, option, list))
    if let old = lists.removeValue(forKey: option.rawValue) { ccurl_slist_free_all(old) }
    lists[option.rawValue] = list
  }

  /// Sets the header lines; they often are those of the transfer before.
  func setFields(_ lines: [String], bytes: [[UInt8]]) throws(CurlFailure) {
    if bytes.isEmpty, let fields, fields.count == lines.count,
      fields.indices.allSatisfy({ sameIdentifier(fields[$0], lines[$0]) })
    {
      return
    }
    try set(CURLOPT_HTTPHEADER, lines: lines, bytes: bytes)
    fields = bytes.isEmpty ? lines : nil
  }

  /// Sets a body, which stays in memory of the handle's own.
  func setBody(_ bytes: [UInt8]) throws(CurlFailure) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
    copy.copyBytes(from: bytes)
    body?.deallocate()
    body = copy
    try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
    try check(ccurl_set_pointer(raw, CURLOPT_POSTFIELDS, copy.baseAddress))
  }

  /// Suspends both directions of the transfer, or resumes them.
  func pause(_ isPaused: Bool) {
    ccurl_easy_pause(raw, isPaused ? CURLPAUSE_ALL : CURLPAUSE_CONT)
  }

  func number(_ info: CURLINFO) -> Int { ccurl_get_long(raw, info) }

  /// A time in microseconds, or a size in bytes.
  func count(_ info: CURLINFO) -> Int64 { ccurl_get_offset(raw, info) }

  /// What a newer libcurl than that of our header has; `nil` if this one does not have it.
  func count(ofNewer info: ccurl_newer_info) -> Int64? {
    let count = ccurl_get_newer(raw, info)
    return count < 0 ? nil : count
  }

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

  /// Forgets what a transfer left behind that libcurl does not clear itself.
  func clear() {
    errorText.pointee = 0
    if let body {
      ccurl_set_pointer(raw, CURLOPT_POSTFIELDS, nil)
      body.deallocate()
    }
    body = nil
  }

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
