// Logs a user in by name and password, and uses that session once: to register a FIDO key, with which the user logs in from then
// on. The example app of Nevis does so. The password and the new passcode are the first lines of standard input.
//
// usage: enrol-key PROFILE USER PATH <FILE
import FIDO
import PageLogin
import SDKCore
import UAF

let words = CommandLine.arguments
guard words.count == 4, let password = readLine(), let passcode = readLine() else {
  fatalError("usage: enrol-key PROFILE USER PATH <FILE")
}
let delegates = AuthenticatorDelegates(
  passcode: KnownPasscode(Array(passcode.utf8)), confirmation: { _, _ in false })
var options = SessionOptions()
options.loginMethods = [.pages, .fido(asking: delegates)]
let session = try ProfileSession(
  opening: ProfileName(words[1]), in: ProfileStore(try StoreLocation()), options: options)

let provider = try await session.login.byForm(FormCredentials(user: words[2], password: password))
print("logged in by password:", provider.name)

let key = try await session.fido.register(words[2])
print("registered a key of", key.username)

// What the key brings replaces the session of the password. After a 401 the profile's `reauthenticate=fido` does the same.
print("logged in by key:", try await session.fido.logIn().name)
let response = try await UserClient(session).send(ResourceRequest(words[3]))
print(response.status, String(decoding: response.body, as: UTF8.self))
