package import HTTP
package import JSON
import Primitives

/// What begins an operation on this device: the content of a QR code, a link or a push message.
///
/// The token in it is a secret: whoever has it gets the request of the operation.
public struct OutOfBandPayload: Sendable, Hashable {
  /// The data, or the encrypted data.
  package enum Content: Sendable, Hashable {
    case plain(RedeemData)
    /// A compact JWE to the key of a dispatch target (RFC 7516).
    case encrypted(String)
  }

  package let content: Content

  /// Reads a payload: JSON, base64url of it, or a link with it in `dispatchTokenResponse`.
  ///
  /// Both spellings of the vendor are read: `nma_data` of push messages, and `redeemData` of the SDK.
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/unsupportedVersion`` for another version, and
  ///   ``ClientErrorCode/protocolError`` for anything malformed; no error has a part of the payload.
  package init(parsing text: String) throws(UAFError) {
    guard text.utf8.count <= Limits.outOfBandPayload else {
      throw .malformed("\(Self.noun) is longer than \(Limits.outOfBandPayload) bytes")
    }
    let reader = try MessageReader(try Self.document(Self.trimmed(text)), Self.noun)
    let names = reader.has("nma_data") ? Names.ofPushMessages : .ofSDK
    guard ["1", "v1"].contains(try reader.text(names.version, atMost: 16)) else {
      throw UAFError(.unsupportedVersion, "\(Self.noun) is not of version 1")
    }
    switch try reader.text(names.contentType, atMost: 100) {
    case "application/json":
      let value = reader.members[names.data]
      content = .plain(try RedeemData(value?.string.flatMap { try? JSON(parsing: $0) } ?? value))
    case "application/jose":
      content = .encrypted(try reader.text(names.encrypted, atMost: Limits.outOfBandPayload))
    default:
      throw .malformed("'\(names.contentType)' of \(Self.noun) is not JSON or JOSE")
    }
  }

  private struct Names {
    let version, contentType, data, encrypted: String

    static let ofPushMessages = Names(
      version: "nma_data_version", contentType: "nma_data_content_type", data: "nma_data",
      encrypted: "nma_data")
    static let ofSDK = Names(
      version: "version", contentType: "contentType", data: "redeemData", encrypted: "data")
  }

  private static func document(_ text: String) throws(UAFError) -> JSON {
    if text.hasPrefix("{") {
      guard let document = try? JSON(parsing: text) else {
        throw .malformed("\(noun) is not JSON")
      }
      return document
    }
    let halves = text.split(separator: "?", maxSplits: 1)
    if halves.count == 2 {
      let query = halves[1].prefix { $0 != "#" }
      let value = FormParameters(encoded: String(query))?
        .first { $0.name == "dispatchTokenResponse" }?.value
      guard let value else { throw .malformed("the link has no 'dispatchTokenResponse'") }
      return try decoded(value)
    }
    return try decoded(text)
  }

  /// The document in base64url; some writers pad it.
  private static func decoded(_ text: String) throws(UAFError) -> JSON {
    let unpadded = String(text.prefix { $0 != "=" })
    guard let bytes = Base64.decode(unpadded.utf8, alphabet: .url), !bytes.isEmpty else {
      throw .malformed("\(noun) is not JSON, a link, or base64url")
    }
    guard let document = try? JSON(parsing: bytes) else {
      throw .malformed("\(noun) is not JSON in base64url")
    }
    return document
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }

  static let noun = "the out-of-band payload"
}

extension OutOfBandPayload: CustomStringConvertible, CustomReflectable {
  /// Redacted: a payload may end up in a log.
  public var description: String { "OutOfBandPayload(‹redacted›)" }

  /// Without members, for the same reason.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The token of an operation, and where the request of the operation is returned for it.
package struct RedeemData: Sendable, Hashable {
  package let token: String
  package let url: HTTPURL

  /// Reads the data, which may be a member of an object.
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/protocolError`` for anything malformed.
  package init(_ value: JSON?) throws(UAFError) {
    let reader = try MessageReader(
      value?["redeemData"] ?? value, "the data of \(OutOfBandPayload.noun)")
    token = try reader.text("token", atMost: Limits.redeemToken)
    let name = ["redeem_url", "redeemUrl"].first(where: reader.has) ?? "redeem_url"
    guard let url = try? HTTPURL(try reader.text(name, atMost: 2048)) else {
      throw .malformed("'\(name)' of \(reader.subject) is missing, or is not a URL")
    }
    self.url = url
  }

  /// The operation that the URL names; `nil` if it names none.
  package var operation: UAFOperation? {
    let last = url.path.split(separator: "/").last
    return UAFOperation.allCases.first { last == $0.name[...] }
  }
}
