import CoreTestSupport
import PageLogin

@testable import SDKCore

extension World {
  /// A profile of a program that has logins on pages.
  convenience init(_ settings: JSONObject = [:]) throws {
    try self.init(settings, loginMethods: [.pages])
  }

  /// Answers at the page of the login: with its form, then with these.
  func answerLogin(_ responses: FakeTransport.Response...) {
    transport.respond(FormLoginTests.page, [.loginForm()] + responses)
  }
}

extension FakeTransport.Response {
  /// A page, which may set cookies.
  static func page(
    _ text: String, cookies: [String] = [], status: Int = 200, location: String? = nil
  ) -> Self {
    var page = other(status, "text/html", text)
    for cookie in cookies { page.fields.append(HTTPField(known: "Set-Cookie", cookie)) }
    if let location { page.fields.append(HTTPField(known: "Location", location)) }
    return page
  }

  /// The page of a login with a name, a password and a hidden field.
  static func loginForm(cookies: [String] = []) -> Self {
    page(
      """
      <form method=post action=/login#x><input type=hidden name=csrf value="c&amp;1">
      <input name=user><input type=password name=pw></form>
      """, cookies: cookies)
  }
}

extension AuthorizationProvider {
  var cookieNames: [String] {
    guard case .cookies(let session) = self else { return [] }
    return session.cookies.map(\.name)
  }
}
