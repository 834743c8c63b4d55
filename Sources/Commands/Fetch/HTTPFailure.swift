import HTTP
import POSIX
import Primitives
import SDKCore

/// Describes responses with an HTTP error status.
struct HTTPFailure {
  let request: ResourceRequest
  let access: Access
  let session: ProfileSession
  let context: Context

  /// Makes the failure of a response: that of the login if the server requires another one.
  ///
  /// - Parameters:
  ///   - response: the response.
  ///   - body: what is shown of its body.
  ///   - hint: how to go on.
  /// - Returns: the failure.
  func failure(
    of response: HTTPResponse, quoting body: [UInt8], hint: String? = nil
  ) async -> Failure {
    if let error = await session.resources.stepUpError(of: response, as: access) {
      return context.failure(error)
    }
    var failure = Failure(httpErrorOf: response)
    if response.status == 401, let origin = await originOfToken() { failure.details.append(origin) }
    if let issuer = await session.resources.otherIssuer(namedBy: response) {
      failure.details.append("the resource takes tokens of another issuer: \(issuer)")
    }
    if let hint { failure.hints = [hint] }
    for line in body.firstLines {
      failure.details.append(await session.resources.redacted(line, of: request, as: access))
    }
    return failure
  }

  /// Where the token comes from, if not from the store.
  private func originOfToken() async -> String? {
    guard access == .user, session.injectedToken != nil,
      let variable = try? EnvironmentToken.find(context.environment)?.variable
    else { return nil }
    let kind = Environment.tokenVariables.contains(variable) ? "the variable " : ""
    let origin = "the token is that of \(kind)\(variable)"
    guard let expires = (try? await session.tokens.valid(for: .user))?.expires,
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
