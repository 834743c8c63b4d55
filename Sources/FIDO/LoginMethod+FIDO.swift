public import SDKCore

extension LoginMethod {
  /// Logins with FIDO keys, of profiles with a section `fido`.
  ///
  /// The delegates are asked if a request needs a login, and by operations that name no others.
  public static func fido(
    asking delegates: AuthenticatorDelegates = AuthenticatorDelegates()
  ) -> LoginMethod {
    LoginMethod(.fido) { FIDORenewal($0, delegates) }
  }
}

extension Remedy.Login.Means {
  /// With a FIDO key.
  public static let fido = Remedy.Login.Means("fido")
}

extension ProfileSession {
  /// Registration, login and deregistration with FIDO keys.
  public var fido: FIDOService { FIDOService(tokens: tokens, sessions: keyLogins) }

  /// Where the FIDO server sends the tokens of operations.
  public var dispatchTargets: DispatchTargetService {
    DispatchTargetService(tokens: tokens, sessions: keyLogins)
  }

  /// Those of the session's method; without it nobody is asked but whom an operation names.
  private var keyLogins: FIDORenewal {
    let ofMethod = tokens.renewals.lazy.compactMap { $0 as? FIDORenewal }.first
    return ofMethod ?? FIDORenewal(loginContext, AuthenticatorDelegates())
  }
}
