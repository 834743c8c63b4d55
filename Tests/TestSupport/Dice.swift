/// A reproducible sequence (splitmix64), so that a failure can be run again.
package struct Dice: RandomNumberGenerator {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The bytes with one of: a bit flipped, a byte replaced, removed, repeated, or the end cut off.
  package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let index = Int.random(in: bytes.indices, using: &self)
    switch Int.random(in: 0..<5, using: &self) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 1: bytes[index] = .random(in: 0...255, using: &self)
    case 2: bytes.remove(at: index)
    case 3: bytes.insert(bytes[index], at: index)
    default: bytes.removeSubrange(index...)
    }
    return bytes
  }
}
