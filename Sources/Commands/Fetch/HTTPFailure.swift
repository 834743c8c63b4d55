import HTTP
import POSIX
import Primitives
import SDKCore

extension ProfileSession {
  /// Makes the failure of a response with an HTTP error: that of the login if the server requires another one.
  ///
  /// The body is quoted without the secrets of the request.
  func failure(
    of response: HTTPResponse, to request: ResourceRequest? = nil, as access: Access,
    quoting body: [UInt8] = [], hint: String? = nil, _ context: Context
  ) async -> Failure {
    if let error = await resources.stepUpError(of: response, as: access) {
      return context.failure(error)
    }
    var failure = Failure(httpErrorOf: response)
    if response.status == 401, access == .user, let origin = await originOfToken(context) {
      failure.details.append(origin)
    }
    if let issuer = await resources.otherIssuer(namedBy: response) {
      failure.details.append("the resource takes tokens of another issuer: \(issuer)")
    }
    if let pause = failure.pause, let left = context.remaining, .seconds(pause) >= left {
      failure.details.append(
        "the request is not sent again: the time of --timeout ends before that")
    }
    if let missing = await resources.missingScope(namedBy: response, as: access) {
      failure.details.append("the token does not have the scope '\(missing.scope)'")
      if injectedToken == nil { failure.hints.append(missing.login.commandLine(for: profile.name)) }
    }
    if let hint { failure.hints.append(hint) }
    guard let request else { return failure }
    for line in body.firstLines {
      failure.details.append(await resources.redacted(line, of: request, as: access))
    }
    return failure
  }

  /// Where the token comes from, if not from the store.
  private func originOfToken(_ context: Context) async -> String? {
    guard let variable = try? EnvironmentToken.find(context.environment)?.variable else {
      return nil
    }
    let kind = Environment.tokenVariables.contains(variable) ? "the variable " : ""
    let origin = "the token is that of \(kind)\(variable)"
    guard let expires = (try? await tokens.valid(for: .user))?.expires,
      expires <= context.now()
    else { return origin }
    return "\(origin), and \(Age.text(of: expires, at: context.now()))"
  }
}

extension [UInt8] {
  /// The first 20 lines of a text, without control characters.
  fileprivate var firstLines: [String] {
    var filter = TerminalFilter()
    let text = withUnsafeBytes { filter.visible($0) } + filter.rest()
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.prefix(20).map { String($0.prefix(300)) }
  }
}

extension Failure {
  /// An HTTP error status: exit 12 for 4xx, 13 for 5xx; some of both may pass.
  init(httpErrorOf response: HTTPResponse) {
    self.init(
      .httpStatus, exit: response.status >= 500 ? .serverError : .clientError,
      "could not fetch \(response.url.origin)\(response.url.path): the server \(response.returned)")
    isRetryable = response.asksForLater
    pause = response.pause
    resource = .httpStatus(response.status)
  }

  static func tooLarge(_ maximum: Int64) -> Failure {
    Failure(
      .responseTooLarge, "could not fetch the resource: its body is larger than \(maximum) bytes")
  }

  static let binaryBody = Failure(
    .binaryOutput, "could not show the body: it is binary",
    hints: ["-o FILE writes it to a file; -o - shows it anyway"])
}

extension HTTPResponse {
  /// The announced length of the body in bytes, as it is delivered; `nil` if not known.
  ///
  /// A response to HEAD, and one of 204 or 304, has no body, whatever length it announces.
  func length(ofHead isHead: Bool = false) -> Int64? {
    guard !isHead, ![204, 304].contains(status), !fields.contains("Content-Encoding") else {
      return nil
    }
    return fields["Content-Length"].flatMap { Int64($0) }
  }

  /// The status line and the fields, in the form of HTTP/1.1.
  var head: [UInt8] {
    var head = Array("\(statusLine)\r\n".utf8)
    for field in fields { head += Array("\(field.name): ".utf8) + field.valueBytes + [0x0D, 0x0A] }
    return head + [0x0D, 0x0A]
  }
}
