// Registers a user at the provider's pages, as an app with a web view does.
//
// WEB-VIEW is a program that gets the URL as its argument, and prints the address at which the page
// arrived; nothing if the person has closed it. In an app, both are delegate methods of the web view.
//
// usage: register-user PROFILE WEB-VIEW
import Foundation
import SDKCore

let words = CommandLine.arguments
guard words.count == 3 else { fatalError("usage: register-user PROFILE WEB-VIEW") }
Client.configure(Client(profile: try ProfileName(words[1]), in: ProfileStore(try StoreLocation())))

do throws(SDKError) {
  let result = try await Client.shared.userClient.registerUser { _, challenge in
    // The same challenge comes again, with an error, after an address that is not its response.
    if let error = challenge.error { print(error.message) }
    guard let address = show(challenge.url.description) else {
      challenge.cancel()
      return
    }
    challenge.respond(with: address)
  }
  print("registered: \(result.subject ?? "the server does not say who")")
  let token = try await Client.shared.userClient.token()
  print("scope: \(token.scope ?? "")")
} catch {
  guard error.code == .cancelled else { throw error }
  print("the person has closed the page")
}

/// Shows a page in the web view until it arrives at an address; `nil` if it was closed.
@Sendable func show(_ url: String) -> String? {
  let (view, output) = (Process(), Pipe())
  view.executableURL = URL(fileURLWithPath: CommandLine.arguments[2])
  view.arguments = [url]
  view.standardOutput = output
  guard (try? view.run()) != nil else { return nil }
  let printed = output.fileHandleForReading.readDataToEndOfFile()
  view.waitUntilExit()
  let address = String(decoding: printed, as: UTF8.self)
    .trimmingCharacters(in: .whitespacesAndNewlines)
  return address.isEmpty ? nil : address
}
