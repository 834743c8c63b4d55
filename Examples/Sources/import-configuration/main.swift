// Makes a profile of what an app of a vendor's SDK is configured with: the export of a token server in a folder, a
// dictionary, or the values of a client. `sdkctl profile import` does the same.
//
// usage: import-configuration PROFILE FILE|FOLDER
import AppConfigurations
import Foundation
import SDKCore

let words = CommandLine.arguments
guard words.count == 3 else { fatalError("usage: import-configuration PROFILE FILE|FOLDER") }
let store = ProfileStore(try StoreLocation())
let configuration =
  AppConfiguration.isFolder(words[2])
  ? try AppConfiguration(folder: words[2])
  : try AppConfiguration(reading: [UInt8](Data(contentsOf: URL(fileURLWithPath: words[2]))))
let profile = try configuration.applied(to: Profile(name: ProfileName(words[1])))
try await store.add(profile)

let session = try ProfileSession(opening: profile.name, in: store)
for set in configuration.pinSets {
  try await session.pinning.add(set.keys, to: set.pattern.description)
}
let count = configuration.pinSets.count
print("\(configuration.kind.rawValue): \(profile.name), pinned \(count) hosts")
for note in configuration.notes { print(note) }
