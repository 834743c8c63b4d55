// Compares a validated chain with pins, without a profile, a connection or the command line.
//
// usage: evaluate-chain PINS HOST PORT CERTIFICATE...
//
// PINS is a document of `sdkctl pin export`, in any format that names hosts; the certificates are DER files, leaf first, root last.
import Foundation
import PinFormats
import Pinning
import Primitives
import SDKCore

let words = CommandLine.arguments
guard words.count > 4, let port = UInt16(words[3]) else {
  fatalError("usage: evaluate-chain PINS HOST PORT CERTIFICATE...")
}

func bytes(of file: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
}

let now = Timestamp(Int64(Date().timeIntervalSince1970))
let document = try bytes(of: words[1])
guard let format = PinFormat.detected(in: document) else { fatalError("not a document with pins") }
let pins = PinSets(try format.read(document).sets, publicSuffixes: .system)

// The keys of the path that the program has validated: pins are an additional check.
let certificates = try words[4...].map { try bytes(of: $0) }
guard let path = ChainKey.path(der: certificates) else { fatalError("not a certificate in DER") }

switch pins.verdict(of: path, host: words[2], port: port, at: now) {
case .matched(let key, let set): print("matched: \(key.pin), pinned for \(set.pattern)")
case .mismatch(let mismatch, _):
  print(mismatch.lines.joined(separator: "\n"))
  exit(1)
case .expired(let set):
  print("expired: the pins of \(set.pattern)")
  exit(1)
case .notPinned:
  print("not pinned: \(words[2])")
  exit(1)
}
