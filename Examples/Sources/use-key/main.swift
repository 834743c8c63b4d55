// Registers a FIDO key for the user who is logged in, logs in with it, and fetches a resource with what
// the server returned. The passcode is the first line of standard input.
//
// usage: use-key PROFILE PATH <FILE
import FIDO
import SDKCore
import UAF

/// Enters a passcode that is known.
struct Answers: PasscodeEntry {
  let passcode: [UInt8]

  func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    guard let violation = enrolment.violation else { return passcode }
    throw SDKError(.invalidRequest, "could not use the passcode: \(violation)")
  }

  func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    guard case .lastAttemptFailed = verification.status else { return passcode }
    throw SDKError(.cancelled, "could not use the passcode: it was wrong")
  }
}

let words = CommandLine.arguments
guard words.count == 3, let passcode = readLine() else {
  fatalError("usage: use-key PROFILE PATH <FILE")
}
let answers = Answers(passcode: Array(passcode.utf8))
let delegates = AuthenticatorDelegates(passcode: answers, confirmation: { _, _ in false })
var options = SessionOptions()
options.loginMethods = [.fido(asking: delegates)]
let session = try ProfileSession(
  opening: ProfileName(words[1]), in: ProfileStore(try StoreLocation()), options: options)

let key = try await session.fido.register()
print("registered a key of", key.username, "at", key.aaid)

let credential = try await session.fido.logIn()
print("logged in:", credential.name)

let response = try await UserClient(session).send(ResourceRequest(words[2]))
print(response.status, String(decoding: response.body, as: UTF8.self))

let deleted = try await session.fido.deregister()
print("deleted", deleted.count, "key")
