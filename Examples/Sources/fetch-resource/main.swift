// Fetches a resource in all four ways: with the user's token, with the user's implicit token, with that
// of this installation, and without one.
//
// usage: fetch-resource PROFILE USER-PATH IMPLICIT-PATH ANONYMOUS-PATH OPEN-PATH
import HTTP
import SDKCore

let words = CommandLine.arguments
guard words.count == 6 else {
  fatalError("usage: fetch-resource PROFILE USER IMPLICIT ANONYMOUS OPEN")
}

// The store of the command line: what `sdkctl` wrote is used, and the other way round.
let store = ProfileStore(try StoreLocation())
let session = try ProfileSession(opening: ProfileName(words[1]), in: store)

func show(_ response: ResourceResponse) {
  print(response.status, String(decoding: response.body, as: UTF8.self))
}

do throws(SDKError) {
  // Refreshed first if it has expired; sent to the hosts of the profile only, behind its pins.
  show(try await UserClient(session).send(ResourceRequest(words[2])))
  show(try await UserClient(session).sendImplicit(ResourceRequest(words[3])))
} catch {
  guard error.code == .notAuthenticated else { throw error }
  print("nobody is logged in")
}
show(try await DeviceClient(session).send(ResourceRequest(words[4])))
show(try await DeviceClient(session).sendUnauthenticated(ResourceRequest(words[5])))
