import Foundation
import TestSupport

/// Another project's server on 127.0.0.1, ended with this object.
final class SpawnedServer {
  let port: Int
  var url: HTTPURL { get throws { try HTTPURL("https://localhost:\(port)/") } }
  private let process: ChildProcess

  /// nginx with HTTP/2; every answer tells connection, protocol and length of the body, or, when it
  /// asks for a client certificate, the connection, the certificate's number, and `r` for a
  /// session that was resumed.
  static func nginx(asksForIdentity: Bool = false) throws -> SpawnedServer {
    let folder = try CertificateFolder.made()
    let port = Int(try LoopbackSocket.listen(.v4).port)
    let home = folder.file("nginx-\(port)")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let answer =
      asksForIdentity
      ? "$connection -$ssl_client_serial $ssl_session_reused"
      : "$connection $server_protocol $content_length"
    let text = """
      daemon off; master_process off; pid \(home)/pid; error_log stderr notice;
      events { worker_connections 256; }
      http {
        access_log off; keepalive_timeout 600;
        client_body_temp_path \(home)/body; proxy_temp_path \(home)/proxy;
        fastcgi_temp_path \(home)/fastcgi; uwsgi_temp_path \(home)/uwsgi;
        scgi_temp_path \(home)/scgi;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(folder.file("leaf-chain.pem"));
          ssl_certificate_key \(folder.file("leaf.key"));
          \(asksForIdentity ? "ssl_verify_client optional_no_ca; ssl_client_certificate \(folder.file("root.pem"));" : "")
          location / { return 200 "\(answer)"; }
        }
      }
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(home)/nginx.conf"))
    let server = try SpawnedServer(
      "/usr/sbin/nginx", ["-e", "stderr", "-c", "\(home)/nginx.conf"], port: port,
      listensAfter: "[notice]")
    return server
  }

  /// `openssl s_server -www`: HTTP/1.0, whose bodies end with the connection.
  ///
  /// With `alpn` it agrees to that protocol only, and refuses who offers others.
  static func openSSL(alpn: String? = nil) throws -> SpawnedServer {
    let folder = try CertificateFolder.made()
    let port = Int(try LoopbackSocket.listen(.v4).port)
    return try SpawnedServer(
      "/usr/bin/openssl",
      [
        "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", folder.file("leaf.pem"),
        "-cert_chain", folder.file("issuer.pem"), "-key", folder.file("leaf.key"),
      ] + (alpn.map { ["-alpn", $0] } ?? []), port: port, listensAfter: "ACCEPT")
  }

  /// Starts a server that listens once it has said a word.
  private init(
    _ program: String, _ arguments: [String], port: Int, listensAfter word: String
  ) throws {
    self.port = port
    process = try ChildProcess(program, arguments, errors: .output)
    var said: [UInt8] = []
    while !String(decoding: said, as: UTF8.self).contains(word) {
      let more = process.read()
      guard !more.isEmpty else { throw CocoaError(.executableLoad) }
      said += more
    }
  }
}
