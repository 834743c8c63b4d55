// Registers a FIDO key for the user who is logged in, logs in with it, and fetches a resource with what
// the server returned. The PIN is the first line of standard input.
//
// usage: use-key PROFILE PATH <PIN
import SDKCore
import UAF

/// Enters a PIN that is known.
struct Answers: PINEntry {
  let pin: [UInt8]

  func newPIN(for enrolment: PINEnrolment) async throws(SDKError) -> [UInt8] {
    guard let violation = enrolment.violation else { return pin }
    throw SDKError(.invalidRequest, "could not use the PIN: \(violation)")
  }

  func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8] {
    guard case .lastAttemptFailed = verification.status else { return pin }
    throw SDKError(.cancelled, "could not use the PIN: it was wrong")
  }
}

let words = CommandLine.arguments
guard words.count == 3, let pin = readLine() else { fatalError("usage: use-key PROFILE PATH <PIN") }
let session = try ProfileSession(
  opening: ProfileName(words[1]), in: ProfileStore(try StoreLocation()))
let answers = Answers(pin: Array(pin.utf8))
let delegates = AuthenticatorDelegates(pin: answers, confirmation: { _, _ in false })

let key = try await session.fido.register(asking: delegates)
print("registered a key of", key.username, "at", key.aaid)

let credential = try await session.fido.logIn(asking: delegates)
print("logged in:", credential.name)

let response = try await UserClient(session).send(ResourceRequest(words[2]))
print(response.status, String(decoding: response.body, as: UTF8.self))

let deleted = try await session.fido.deregister()
print("deleted", deleted.count, "key")
