import HTTP
import POSIX
import Primitives
import SDKCore

extension ProfileSession {
  /// Makes the failure of a response with an HTTP error: that of the login if the server requires another one.
  ///
  /// - Parameters:
  ///   - response: the response.
  ///   - request: the request, whose secrets the quoted body must not have.
  ///   - access: whose credential it carried.
  ///   - body: what is shown of its body.
  ///   - hint: how to go on.
  ///   - context: what tells where the token comes from.
  /// - Returns: the failure.
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
    guard injectedToken != nil,
      let variable = try? EnvironmentToken.find(context.environment)?.variable
    else { return nil }
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
