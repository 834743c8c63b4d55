package import OAuth

@testable package import SDKCore

extension LoginOptions {
  package init(
    scope: String? = nil, timeout: Duration? = nil, port: UInt16? = nil, attempts: Int = 1,
    bindsTokens: Bool? = nil, parameters: FormParameters = [:]
  ) {
    self.init()
    (self.scope, self.timeout, self.port) = (scope, timeout, port)
    (self.attempts, self.bindsTokens, self.parameters) = (attempts, bindsTokens, parameters)
  }
}

extension RegistrationOptions {
  package init(
    method: ClientAuthentication.Method? = nil, scope: String? = nil, clientName: String? = nil,
    redirectURI: String? = nil, encryptedResponses: Bool = false, initialAccessToken: String? = nil
  ) {
    self.init()
    (self.method, self.scope, self.clientName) = (method, scope, clientName)
    (self.redirectURI, self.encryptedResponses) = (redirectURI, encryptedResponses)
    self.initialAccessToken = initialAccessToken
  }
}
