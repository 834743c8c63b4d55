import Arguments
import HTTP
import JSON
import Primitives
import SDKCore

/// The security token service of AWS: credentials of a role for a token
/// (AssumeRoleWithWebIdentity, API version 2011-06-15).
struct SecurityTokenService {
  private let arguments: CredentialAWS.Arguments
  private let helper: CredentialHelper
  private let url: HTTPURL

  static let output = OutputDoc(
    .document,
    [
      MemberDoc("Version", "1"), MemberDoc("AccessKeyId", "the ID of the key"),
      MemberDoc("SecretAccessKey", "the key"), MemberDoc("SessionToken", "the session"),
      MemberDoc("Expiration", "when they expire"),
    ])

  init(_ arguments: CredentialAWS.Arguments, _ helper: CredentialHelper) throws {
    guard let url = try? HTTPURL(arguments.service) else {
      throw Failure.usage("could not use --sts-url: it is not an https URL")
    }
    guard helper.allows(url.origin) else { throw helper.notAllowed(url) }
    self.arguments = arguments
    self.helper = helper
    self.url = url
  }

  /// The credentials as a `credential_process` prints them, stored until they expire.
  func credentials() async throws -> JSONObject {
    let request = [
      "aws", url.description, arguments.role, arguments.sessionName,
      String(arguments.duration.seconds), arguments.selection.slot.rawValue,
      arguments.selection.idToken ? "id" : "access", arguments.selection.scope ?? "",
      arguments.selection.audience ?? "",
    ]
    let demand = arguments.selection.demand
    let tokens = helper.session.tokens
    if let stored = tokens.storedDerivation(for: request, demand) { return stored.members }
    let token = try await helper.bearer(arguments.selection).text
    return try await tokens.derived(for: request, demand) { () async throws(SDKError) in
      try await assume(token)
    }.members
  }

  private func assume(_ token: String) async throws(SDKError) -> DerivedCredential {
    let action = "could not assume the role"
    var request = ResourceRequest(
      "POST", url.description, headers: [("Accept", "application/xml")],
      parameters: [
        ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"),
        ("RoleArn", arguments.role), ("RoleSessionName", arguments.sessionName),
        ("DurationSeconds", String(arguments.duration.seconds)),
        ("WebIdentityToken", token),
      ], encoding: .formURL, timeout: .seconds(30))
    // The service has none; one would name who returns the credentials, and may get the token.
    request.followsRedirects = false
    let response = try await helper.session.resources.send(
      request, as: .unauthenticated, receiving: .collect(limit: 1 << 16))
    let text = String(decoding: response.body, as: UTF8.self)
    guard response.isSuccess else {
      let code = XMLText.element("Code", in: text).map { " (\($0))" } ?? ""
      throw SDKError(
        .refused, "\(action): \(url.authority) returned \(response.status)\(Visible.line(code))")
    }
    guard let id = XMLText.element("AccessKeyId", in: text),
      let secret = XMLText.element("SecretAccessKey", in: text),
      let session = XMLText.element("SessionToken", in: text),
      let expiration = XMLText.element("Expiration", in: text), let end = Timestamp(expiration)
    else {
      throw SDKError(
        .malformedResponse, "\(action): the response of \(url.authority) has no credentials")
    }
    return DerivedCredential(
      [
        "Version": 1, "AccessKeyId": .string(id), "SecretAccessKey": .string(secret),
        "SessionToken": .string(session), "Expiration": .string(end.description),
      ], expires: end)
  }
}

/// The text of elements in an XML document whose elements of interest have unique names.
enum XMLText {
  /// The text of the first element of that name without attributes; `nil` without one, or if it
  /// has elements inside.
  static func element(_ name: String, in document: String) -> String? {
    let bytes = Array(document.utf8)
    let (opening, closing) = (Array("<\(name)>".utf8), Array("</\(name)>".utf8))
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: opening) }) else {
      return nil
    }
    let rest = bytes[(start + opening.count)...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "<")), rest[end...].starts(with: closing)
    else {
      return nil
    }
    // Nothing of interest has characters that XML escapes: base64, times and words.
    let text = String(decoding: rest[..<end], as: UTF8.self)
    return text.utf8.contains(UInt8(ascii: "&")) ? nil : text
  }
}
