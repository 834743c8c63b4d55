import HTTP
import SDKCore
import WebForms

/// The end of a session of cookies at the provider: the page of `form.logoutURL`.
struct FormLogout {
  let environment: SessionEnvironment
  let session: SessionCookies

  /// Gets the page, and sends its form if it asks for a confirmation.
  ///
  /// - Throws: ``SDKError`` if the provider returned an HTTP error.
  func run(at url: HTTPURL) async throws(SDKError) {
    let settings = try FormSettings(environment.profile)
    var pages = FormPages(environment, settings, cookies: session.cookies)
    try await pages.get(url)
    guard let page = pages.page else { return }
    if page.response.status == 405, page.url == url {
      try await pages.post(FormBody(parameters: [:]), to: url, from: url)
    } else if let form = page.confirmation(of: url),
      let step = FormStep([form], settings, hasSentUser: true)
    {
      let target = try step.target(on: page.response.url)
      try await pages.post(step.body([:]), to: target, from: page.response.url)
    }
    guard let response = pages.page?.response, response.status >= 400 else { return }
    throw SDKError(response, subject: url.host)
  }
}

extension FormPages.Page {
  /// The form that confirms a logout: it has no visible field, and is sent to the logout URL.
  fileprivate func confirmation(of url: HTTPURL) -> HTMLForm? {
    guard response.status < 400 else { return nil }
    return forms.first { form in
      guard form.isPost, !form.fields.contains(where: \.isVisible) else { return false }
      let target = form.action.isEmpty ? response.url : try? response.url.resolving(form.action)
      return target?.sharesOrigin(with: url) == true && target?.path == url.path
    }
  }
}
