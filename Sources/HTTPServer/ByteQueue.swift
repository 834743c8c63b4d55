/// Bytes that are appended at one end and taken at the other, in pieces: who takes them copies them, outside a lock.
struct ByteQueue {
  private var pieces: [ArraySlice<UInt8>] = []
  /// The index of the first piece that was not taken.
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ piece: [UInt8]) {
    count += piece.count
    let last = pieces.last?.count ?? 0
    if last > 0, last + piece.count <= Self.pieceLimit {
      pieces[pieces.count - 1] += piece
    } else if !piece.isEmpty {
      pieces.append(piece[...])
    }
  }

  /// Removes the next bytes, at most so many.
  mutating func take(_ limit: Int) -> [ArraySlice<UInt8>] {
    var taken: [ArraySlice<UInt8>] = []
    var left = limit
    while left > 0, first < pieces.count {
      let piece = pieces[first].prefix(left)
      taken.append(piece)
      left -= piece.count
      if piece.count < pieces[first].count {
        pieces[first] = pieces[first].dropFirst(piece.count)
      } else {
        pieces[first] = []
        first += 1
      }
    }
    if first > pieces.count / 2 {
      pieces.removeSubrange(..<first)
      first = 0
    }
    count -= limit - left
    return taken
  }

  mutating func removeAll() { self = ByteQueue() }

  /// Pieces up to this size are put together: a record of TLS has as much.
  private static let pieceLimit = 16 << 10
}

extension UnsafeMutableRawBufferPointer {
  /// Fills the buffer with pieces that fit into it; returns how many bytes they have.
  func fill(with pieces: [ArraySlice<UInt8>]) -> Int {
    var count = 0
    for piece in pieces {
      let rest = UnsafeMutableRawBufferPointer(rebasing: self[count...])
      piece.withUnsafeBytes { rest.copyMemory(from: $0) }
      count += piece.count
    }
    return count
  }
}
