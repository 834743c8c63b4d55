import HTTP
import JOSE
import OAuth
import SDKCore

extension Register.Arguments {
  /// What speaks against the combination; `nil` when it makes sense.
  var objection: String? {
    if let objectionToPerson { return objectionToPerson }
    if purpose != .client, show || update {
      return "--show and --update are about the client, not about a person"
    }
    if idp != nil, purpose != .user { return "--idp is for --user only" }
    if !browser, purpose == .client { return "--no-browser is for --user and the pages only" }
    if purpose == .passwordReset, clientID != nil || force || choosesMetadata || hasInput {
      return "--reset-password takes no option of a client"
    }
    if show, update || clientID != nil || force || choosesMetadata || hasInput {
      return "--show changes nothing, and so takes no other option"
    }
    if update, clientID != nil || force || hasInputForNew {
      return "--update keeps the client, and so takes no credential, --client-id or --force"
    }
    if let objectionToCertificate { return objectionToCertificate }
    if port != nil, redirectURI != nil {
      return "--callback-port and --redirect-uri exclude each other"
    }
    return clientID == nil ? objectionToNew : objectionToGiven
  }

  private var objectionToNew: String? {
    if clientSecretStdin || clientSecretFile != nil {
      return "a client secret needs --client-id"
    }
    return clientKeyFile == nil || clientCertificate != nil
      ? nil : "--client-key-file needs --client-id"
  }

  private var objectionToGiven: String? {
    if tokenStdin || tokenFile != nil {
      return "--client-id does not register, so it takes no initial access token"
    }
    let describes = softwareID ?? softwareVersion ?? softwareStatement ?? contacts.first
    if describes != nil {
      return "--client-id does not register, so it says nothing of software and contacts"
    }
    if encryptedAnswers { return "--client-id does not register, so it asks for no encryption" }
    if clientKeyFile == nil, method == .privateKeyJWT {
      return "--auth-method private_key_jwt needs --client-key-file with --client-id"
    }
    if clientKeyFile != nil, let method, method != .privateKeyJWT, !method.usesCertificate {
      return "--client-key-file is for --auth-method private_key_jwt only"
    }
    return nil
  }

  /// Whether an option is about the client; the scope is about a login too.
  var describesClient: Bool { clientID != nil || hasInput || choosesMetadata(beside: nil) }

  var choosesMetadata: Bool { choosesMetadata(beside: scope) }

  private func choosesMetadata(beside scope: String?) -> Bool {
    let texts = [
      clientName, scope, redirectURI, softwareID, softwareVersion, softwareStatement,
    ]
    return texts.contains { $0 != nil } || port != nil || method != nil || !contacts.isEmpty
      || encryptedAnswers
  }

  var hasInput: Bool {
    hasInputForNew || clientKeyFile != nil || clientCertificate != nil || certificateSAN != nil
  }

  /// A key goes with a certificate, and a certificate can be replaced.
  private var hasInputForNew: Bool {
    clientSecretStdin || tokenStdin || clientSecretFile != nil || tokenFile != nil
      || (clientKeyFile != nil && clientCertificate == nil)
  }

  /// The choices for a registration or its change.
  func options(_ context: Context) throws(Failure) -> RegistrationOptions {
    var options = RegistrationOptions()
    options.clientName = clientName
    options.scope = scope
    options.redirectURI = try chosenRedirectURI()
    options.method = method
    options.credential = clientID == nil ? try credential(context) : nil
    options.softwareID = softwareID
    options.softwareVersion = softwareVersion
    options.softwareStatement = try softwareStatement.map { (file) throws(Failure) in
      try context.softwareStatement(file)
    }
    options.contacts = contacts
    options.encryptedAnswers = encryptedAnswers
    options.initialAccessToken = try context.secret(
      "initial access token", standardInput: tokenStdin, file: tokenFile)
    return options
  }

  /// The client that exists; `nil` when one is to be registered.
  func givenClient(_ context: Context) throws(Failure) -> GivenClient? {
    guard let clientID else { return nil }
    let secret = try context.secret(
      "client secret", standardInput: clientSecretStdin, file: clientSecretFile)
    let credential = try credential(context)
    let key = try clientKeyFile.map { (file) throws(Failure) in try context.privateKey(file) }
    return GivenClient(
      clientID: clientID, secret: secret,
      method: method
        ?? (key != nil ? .privateKeyJWT : secret != nil ? .basic : .none),
      redirectURI: try chosenRedirectURI(), key: credential?.key ?? key,
      certificate: credential?.certificate,
      certificateName: credential?.name ?? .subject)
  }

  private func chosenRedirectURI() throws(Failure) -> String? {
    if let port { return "http://127.0.0.1:\(port)/callback" }
    guard let text = redirectURI else { return nil }
    if let url = try? HTTPURL(text), url.isLoopback, url.scheme == .http, url.query == nil {
      return text
    }
    guard RedirectURI(text)?.isAcceptablePrivateUse == true, !text.contains("#") else {
      throw .usage(
        "the redirect URI must be http://127.0.0.1[:PORT]/PATH, http://[::1][:PORT]/PATH or of a "
          + "scheme that is a domain name backwards, such as com.example.app:/callback")
    }
    return text
  }
}
