import Foundation
import FuzzTargets
import TestSupport

/// The inputs of Tests/Fuzz/Corpus, and a few thousand changes of them.
///
/// `make fuzz` goes on from there.
@Suite("Fuzz corpus")
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz/Corpus")

  @Test("is read without harm, and so are changes of it", arguments: FuzzTarget.allCases)
  func corpus(target: FuzzTarget) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    var dice = Dice(state: 37)
    for file in files.sorted(by: { $0.path < $1.path }) {
      let seed = Array(try Data(contentsOf: file))
      target.run(seed)
      for _ in 0..<100 {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &dice) where !bytes.isEmpty {
          bytes = dice.mutated(bytes)
        }
        target.run(bytes)
      }
    }
  }
}
