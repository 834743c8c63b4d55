extension TransferReport {
  /// The variables of curl that a fetch can have, and `identity` and `pins`.
  enum Variable: String, CaseIterable, Sendable {
    case certificates = "certs"
    case contentType = "content_type"
    case errorMessage = "errormsg"
    case exitCode = "exitcode"
    case fileName = "filename_effective"
    case httpCode = "http_code"
    case httpConnect = "http_connect"
    case httpVersion = "http_version"
    case identity
    case localAddress = "local_ip"
    case localPort = "local_port"
    case method
    case certificateCount = "num_certs"
    case connections = "num_connects"
    case headers = "num_headers"
    case redirects = "num_redirects"
    case retries = "num_retries"
    case pins
    case proxyUsed = "proxy_used"
    case redirectURL = "redirect_url"
    case referer
    case remoteAddress = "remote_ip"
    case remotePort = "remote_port"
    case responseCode = "response_code"
    case scheme
    case downloaded = "size_download"
    case headerSize = "size_header"
    case requestSize = "size_request"
    case uploaded = "size_upload"
    case downloadSpeed = "speed_download"
    case uploadSpeed = "speed_upload"
    case verification = "ssl_verify_result"
    case handshakeTime = "time_appconnect"
    case connectTime = "time_connect"
    case nameLookupTime = "time_namelookup"
    case preTransferTime = "time_pretransfer"
    case redirectTime = "time_redirect"
    case startTransferTime = "time_starttransfer"
    case totalTime = "time_total"
    case url
    case effectiveURL = "url_effective"
  }
}
