// Shows the certificate chain of a host, pins its leaf key, and evaluates the chain.
//
// usage: pin-host PROFILE HOST PORT
import Foundation
import Pinning
import Primitives
import SDKCore

let words = CommandLine.arguments
guard words.count == 4, let port = UInt16(words[3]) else {
  fatalError("usage: pin-host PROFILE HOST PORT")
}
let (host, name) = (words[2], try ProfileName(words[1]))
let store = ProfileStore(try StoreLocation())

// A handshake only: no request is sent, and pins are not enforced.
let chain = try await ProfileSession(opening: name, in: store).pinning.probe(host: host, port: port)
for key in chain.keys { print(key.role.rawValue, key.pin, key.subject) }
guard let leaf = chain.keys.first else {
  print("not trusted: \(chain.verificationError ?? "no chain")")
  exit(1)
}

try await ProfileSession(opening: name, in: store).pinning
  .add([PinnedKey(pin: leaf.pin, role: leaf.role)], to: host)

// A session keeps the pins that it was opened with: open another one to see the new pin.
let pins = try ProfileSession(opening: name, in: store).pins
let now = Timestamp(Int64(Date().timeIntervalSince1970))
switch pins.verdict(of: chain.keys, host: host, port: port, at: now) {
case .matched(let key, _): print("pinned: \(key.pin)")
case .mismatch(let mismatch, _): print(mismatch.lines.joined(separator: "\n"))
case .expired: print("the pins have expired")
case .notPinned: print("no pins")
}
