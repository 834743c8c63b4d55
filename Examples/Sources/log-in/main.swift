// Registers this installation if it is not registered, logs a user in, and logs out.
//
// BROWSER is a program that gets the URL as its argument, lets a person sign in, and prints the
// address at which the browser arrived: an app's web view, or in a test a script.
//
// usage: log-in PROFILE BROWSER
import Foundation
import HTTP
import SDKCore

let words = CommandLine.arguments
guard words.count == 3 else { fatalError("usage: log-in PROFILE BROWSER") }
let store = ProfileStore(try StoreLocation())
let session = try ProfileSession(opening: ProfileName(words[1]), in: store)

if try await session.registration.usable() == nil {
  let registration = try await session.registration.register(RegistrationOptions())
  print("registered as \(registration.clientID)")
}

let result = try await session.login.logIn(
  by: .browser { challenge in
    // A challenge with an error repeats one whose answer was wrong.
    guard challenge.error == nil, let address = try? browse(challenge.url.description) else {
      challenge.cancel()
      return
    }
    challenge.respond(with: address)
  })
print("logged in: \(result.subject ?? "the server does not say who")")
print("scope: \(result.tokens.scope ?? "")")

for step in try await session.login.logOut(.user) { print("\(step.action): \(step.outcome)") }

/// Runs the browser, and returns the line that it prints.
@Sendable func browse(_ url: String) throws -> String {
  let output = Pipe()
  let browser = Process()
  browser.executableURL = URL(fileURLWithPath: CommandLine.arguments[2])
  browser.arguments = [url]
  browser.standardOutput = output
  try browser.run()
  let printed = output.fileHandleForReading.readDataToEndOfFile()
  browser.waitUntilExit()
  return String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}
