extension ProfileKeys {
  /// All keys, in this order; those of endpoints are further keys.
  var all: [any TypedKey] {
    [
      issuer, resourceURL, clientID, scope, anonymousScope, implicitScope, pushesAuthorization,
      dpop, signsAuthorization, caFile, pinPolicy, pinReportFile, pinReportURL, pinUpdateKey,
      allowedHosts, insecureLoopback, idleSeconds, redirectPort, redirectURI, identityProviders,
      accountURL,
      resetPasswordURL, defaultAccess, refusesDebugger, refusesTampering, refusesRoot,
      refusesEmulation, libraryDirectories, encryptsPayload, serverPublicKey, allowsPasswordGrant,
      allowsNarrowedRefresh, usesDiscovery, usesPKCE, authorizationParameters, basicEncoding,
      expiryMargin, accountClient, applicationID, identityObtain, identityWhen,
      identityRefusedStatus, identityURL, identityAttributesURL, identityRequestURL,
      identityRetireURL, identityCommand, identityKey, identitySubject, identityNames,
      identityLabel, identityUser, identityPasswordFile, identityToken, identityProfile,
      reauthentication, formURL, formFetchesPage, formUserField, formPasswordField, formParameters,
      formQuestions, formUser, formPasswordFile, formHosts, formCookies, formSuccessURL,
      formPageText, logoutPage, formProvider, formJWT, fidoURL, fidoRegistrationRequestPath,
      fidoRegistrationResponsePath, fidoAuthenticationRequestPath, fidoAuthenticationResponsePath,
      fidoDeregistrationRequestPath, fidoDispatchTargetPath, fidoStatusPath, fidoRequestForm,
      fidoUser, fidoPINFile, fidoAppID,
      fidoFacetID, fidoAAID, fidoAttestation, fidoEncoding, fidoAllowsNoVerification, fidoKey,
      fidoPINMinimum, fidoPINMaximum, fidoPINSimilarDigits, fidoPINSequences, fidoPINBlocked,
      fidoPINAttempts, fidoMaximumRetries, fidoRetryInterval, fidoNetworkTimeout,
      fidoInteractionTimeout, fidoProvider, fidoJWT, fidoCookies, sealSlots, sealPINMinimum,
      sealPINMaximum,
      sealPINSimilarDigits, sealPINSequences, sealPINBlocked, sealPINAttempts,
    ]
  }
}
