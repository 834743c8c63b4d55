import CCurl
import HTTP

extension Transfer {
  /// The metrics of libcurl, with the result of the TLS check.
  func metrics(
    of easy: EasyHandle, tls: String?, hasFailed: Bool = false
  ) -> TransferMetrics {
    var metrics = TransferMetrics()
    metrics.nameLookup = easy.time(CURLINFO_NAMELOOKUP_TIME_T)
    metrics.connect = easy.time(CURLINFO_CONNECT_TIME_T)
    metrics.handshake = easy.time(CURLINFO_APPCONNECT_TIME_T)
    metrics.preTransfer = easy.time(CURLINFO_PRETRANSFER_TIME_T)
    metrics.startTransfer = easy.time(CURLINFO_STARTTRANSFER_TIME_T)
    metrics.total = easy.time(CURLINFO_TOTAL_TIME_T)
    metrics.downloaded = easy.count(CURLINFO_SIZE_DOWNLOAD_T)
    metrics.uploaded = easy.count(CURLINFO_SIZE_UPLOAD_T)
    metrics.headerSize = easy.number(CURLINFO_HEADER_SIZE)
    metrics.requestSize = easy.number(CURLINFO_REQUEST_SIZE)
    metrics.connections = easy.number(CURLINFO_NUM_CONNECTS)
    metrics.remote = easy.endpoint(CURLINFO_PRIMARY_IP, CURLINFO_PRIMARY_PORT)
    metrics.local = easy.endpoint(CURLINFO_LOCAL_IP, CURLINFO_LOCAL_PORT)
    metrics.connectStatus = easy.number(CURLINFO_HTTP_CONNECTCODE)
    if hasNewerInfo {
      metrics.transferNumber = easy.count(ofNewer: CCURL_TRANSFER_NUMBER)
      metrics.connectionNumber = easy.count(ofNewer: CCURL_CONNECTION_NUMBER)
      metrics.queue = easy.count(ofNewer: CCURL_QUEUE_TIME).map { .microseconds($0) }
      metrics.postTransfer = easy.count(ofNewer: CCURL_POST_TRANSFER_TIME)
        .map { .microseconds($0) }
    }
    guard let check else { return metrics }
    let accepted = hasFailed ? nil : check.accepted(overQUIC: isHTTP3)
    let agreement = accepted?.agreement ?? (hasFailed ? check.agreement : nil)
    // QUIC has TLS 1.3 or newer (RFC 9001), and libcurl 8.14 does not say which.
    metrics.tls = tls ?? agreement?.protocol ?? (isHTTP3 ? "TLSv1.3" : nil)
    metrics.cipher = agreement?.cipher
    metrics.alpn = agreement?.alpn
    metrics.pins =
      hasFailed ? check.verdict : accepted.map(\.verdict) ?? check.verdictOfOpenConnection
    return metrics
  }
}

extension EasyHandle {
  fileprivate func time(_ info: CURLINFO) -> Duration { .microseconds(count(info)) }

  fileprivate func endpoint(
    _ address: CURLINFO, _ port: CURLINFO
  ) -> TransferMetrics.Endpoint? {
    guard let address = text(address), !address.isEmpty else { return nil }
    return TransferMetrics.Endpoint(address: address, port: number(port))
  }
}

/// Whether libcurl has any of the numbers that 7.88 does not have.
private var hasNewerInfo: Bool { ccurl_version_number() >= 0x080200 }
