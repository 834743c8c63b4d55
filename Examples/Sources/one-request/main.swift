// Sends one request with the user's token, and prints the response.
//
// It needs the profile "sandbox", and a user who is logged in: see docs/library.md.
import SDKCore

let session = try ProfileSession(opening: ProfileName("sandbox"), in: ProfileStore(StoreLocation()))
let response = try await UserClient(session).send(ResourceRequest("/devices"))
print(response.status, String(decoding: response.body, as: UTF8.self))
