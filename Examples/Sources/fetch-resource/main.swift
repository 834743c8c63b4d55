// Fetches a resource as the user who is logged in, as this installation, and without a token.
//
// usage: fetch-resource PROFILE USER-PATH ANONYMOUS-PATH OPEN-PATH
import HTTP
import SDKCore

let words = CommandLine.arguments
guard words.count == 5 else { fatalError("usage: fetch-resource PROFILE USER ANONYMOUS OPEN") }

// The store of the command line: what `sdkctl` wrote is used, and the other way round.
let store = ProfileStore(try StoreLocation())
let session = try ProfileSession(opening: ProfileName(words[1]), in: store)

func show(_ response: ResourceResponse) {
  print(response.status, String(decoding: response.body, as: UTF8.self))
}

do throws(SDKError) {
  // Refreshed first if it has expired; sent to the hosts of the profile only, behind its pins.
  show(try await UserClient(session).send(ResourceRequest("GET", words[2])))
} catch {
  guard error.code == .notAuthenticated else { throw error }
  print("nobody is logged in")
}
show(try await DeviceClient(session).send(ResourceRequest("GET", words[3])))
show(try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", words[4])))
