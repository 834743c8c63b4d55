import HTTP
import Primitives

extension HTTPResponse {
  /// Why nginx refused the client certificate, or its absence; `nil` for other responses.
  ///
  /// nginx completes the handshake and responds with status 400 and a page of its own.
  var certificateRefusal: String? {
    guard status == 400, mediaType == "text/html" else { return nil }
    let page = String(decoding: body, as: UTF8.self)
    if page.containsText("No required SSL certificate was sent") {
      return "the server requires a client certificate"
    }
    if page.containsText("The SSL certificate error") {
      return "the server refused the client certificate"
    }
    return nil
  }
}
