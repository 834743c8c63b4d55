// Logs a user in, lets the person choose one of the files that a provider keeps for them, and fetches it: what the sample app of
// Sequencing.com does. A login has three results, and only one of them is an error of the program.
//
// BROWSER is a program that gets the URL as its argument, and lets a person sign in. The names of the files go to standard output;
// the choice is a line of standard input.
//
// usage: choose-file PROFILE BROWSER
import Foundation
import SDKCore

/// A file of the person, as the provider lists it.
struct DataSource: Decodable {
  let id: String
  let name: String

  enum CodingKeys: String, CodingKey {
    case id = "Id"
    case name = "Name"
  }
}

let words = CommandLine.arguments
guard words.count == 3 else { fatalError("usage: choose-file PROFILE BROWSER") }
Client.configure(Client(profile: try ProfileName(words[1]), in: ProfileStore(try StoreLocation())))
let user = Client.shared.userClient

// The browser opens an address of this machine at the end, where the library listens.
let outcome = try await user.authorize { _, challenge in
  let browser = Process()
  browser.executableURL = URL(fileURLWithPath: CommandLine.arguments[2])
  browser.arguments = [challenge.url.description]
  guard (try? browser.run()) != nil else { return challenge.cancel() }
}
switch outcome {
case .authorized(let token): print("authorized:", token.scope ?? "")
case .notAuthorized(let error):
  print("not authorized:", error)
  exit(1)
case .cancelled:
  print("cancelled")
  exit(1)
}

let list = try await user.send(ResourceRequest("/DataSourceList?all=true"))
if let error = list.error { throw error }
let files = try JSONDecoder().decode([DataSource].self, from: Data(list.body))
for file in files { print(file.name) }

guard let choice = readLine(), let file = files.first(where: { $0.name == choice }) else {
  print("no such file")
  exit(1)
}
let content = try await user.send(ResourceRequest("/DataSource/\(file.id)"))
if let error = content.error { throw error }
print(String(decoding: content.body, as: UTF8.self))
