public import HTTP
import Primitives

/// One file or field of a form that a request uploads (`multipart/form-data`, RFC 7578).
public typealias MultipartData = MultipartBody.Part

extension ResourceRequest {
  /// The body and the media type of the form: parameters first, then the parts.
  ///
  /// `type` is the field `Content-Type` as typed, which may be another type of multipart.
  ///
  /// - Throws: ``SDKError`` if a media type cannot stand in a header field, or is not one of a form.
  func encodedForm(as type: String?) throws(SDKError) -> (type: String, body: HTTPBody) {
    let type = type ?? "multipart/form-data"
    guard type.asciiLowercased.hasPrefix("multipart/"),
      !type.asciiLowercased.containsText("boundary=")
    else {
      throw SDKError(
        .invalidRequest,
        "could not send the request: it has a form, and its Content-Type is '\(type)'")
    }
    var parts = allParameters.map { name, value in
      MultipartData(name: name, data: .bytes(Array(value.utf8)))
    }
    for part in multipart {
      if let type = part.mimeType, type.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        throw SDKError(
          .invalidRequest,
          "could not send the request: the media type of '\(part.name)' is not valid")
      }
      parts.append(part)
    }
    let boundary = try MultipartBody.boundary()
    let body = MultipartBody(parts, boundary: boundary)
    return ("\(type); boundary=\(boundary)", .stream(body, length: body.length))
  }
}
