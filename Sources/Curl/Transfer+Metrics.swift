import CCurl
import HTTP
import POSIX
import Primitives

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
    guard let check else { return metrics }
    metrics.remote = metrics.remote ?? check.remote?.endpoint
    metrics.local = metrics.local ?? check.local?.endpoint
    metrics.tls = tls ?? check.agreement?.protocol
    metrics.cipher = check.agreement?.cipher
    metrics.alpn = check.agreement?.alpn
    metrics.pins = check.verdict?.outcome ?? (hasFailed ? nil : check.verdictOfOpenConnection)
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

extension SocketEnd {
  fileprivate var endpoint: TransferMetrics.Endpoint {
    TransferMetrics.Endpoint(address: address.description, port: port)
  }
}
