import JSON
import OAuth
import Primitives

/// The form of a client's credential that its server accepted: `clients/PROFILE.json` of the cache.
///
/// Without it, each request would first be sent in a form that the server refuses.
struct CredentialFormFile: CredentialFormMemory {
  private let path: StorePath
  private let issuer: String

  init(_ location: StoreLocation, _ profile: ProfileName, issuer: String) {
    path = location.cacheFile("clients/\(profile).json")
    self.issuer = issuer
  }

  func form(of clientID: String) -> CredentialForm? {
    guard let members = (try? StoreDocument.read(path, .secret))?.members,
      sameIdentifier(members["issuer"]?.string, issuer),
      sameIdentifier(members["client"]?.string, clientID)
    else { return nil }
    return members["form"]?.string.flatMap(CredentialForm.init(identifier:))
  }

  /// A cache that cannot be written costs a request, and nothing else.
  func remember(_ form: CredentialForm, of clientID: String) {
    let members: JSONObject = [
      "issuer": .string(issuer), "client": .string(clientID), "form": .string(form.rawValue),
    ]
    try? StoreDocument(path: path, secrecy: .secret, members: members).write()
  }
}
