import HTTP
import JOSE
import OAuth
import OpenSSL

extension ProfileSession {
  /// What a login asks for and who asks, as a digest: equal for equal logins, and telling nothing.
  func digest(of options: LoginOptions) throws(SDKError) -> String {
    let client = try registration()
    let own = profile.authorizationParameters
    var words = own.map { "profile.\($0.name)=\($0.value)" }
    words += options.parameters.map { "\($0.name)=\($0.value)" }
    words += (client?.redirectURIs ?? []).map { "redirect_uri=\($0)" }
    words += ["issuer=\(profile.issuer?.text ?? "")", "client_id=\(client?.clientID ?? "")"]
    words += (options.scope ?? profile.scope).map { ["scope=\($0)"] } ?? []
    let choices = [options.bindsTokens, options.pushes, options.signs]
    words.append(choices.map { $0.map(String.init) ?? "" }.joined(separator: ","))
    words.append(options.responseMode?.rawValue ?? "")
    return Base64URL.encode(Digest.sha256(words.map(FormParameters.encode).joined(separator: "\n")))
  }
}
