// Fetches a resource of a server that asks for a client certificate. The certificate and its key come
// as a PKCS #12 file from a server of the program's own.
//
// usage: show-identity PROFILE PATH URL <PASSWORD
import Foundation
import FoundationNetworking
import SDKCore

/// Obtains an identity when a server asks for one, or refuses the one that is stored.
struct OwnServer: IdentityObtaining {
  let name = "own-server"
  let url: URL
  let password: String

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let file: Data
    do {
      file = try await URLSession.shared.data(from: url).0
    } catch {
      throw SDKError(.network, "could not fetch the identity of \(request.host): \(error)")
    }
    return try await IdentityMaterial.read([UInt8](file), password: password)
      .identity(for: request, obtainedBy: name)
  }
}

let words = CommandLine.arguments
guard words.count == 4, let url = URL(string: words[3]), let password = readLine() else {
  fatalError("usage: show-identity PROFILE PATH URL <PASSWORD")
}
let session = try ProfileSession(
  opening: ProfileName(words[1]), in: ProfileStore(try StoreLocation()))
session.resources.register(
  IdentityObserver(
    session, obtainer: OwnServer(url: url, password: password),
    authenticationHandler: { identity, host in print("new identity for \(host)") }))

let response = try await DeviceClient(session).sendUnauthenticated(ResourceRequest(words[2]))
print(response.status, String(decoding: response.body, as: UTF8.self))
