/// Finds the known word that is most similar to an unknown one.
package enum Suggestion {
  /// The candidate to ask about; `nil` if none is similar enough.
  ///
  /// Similar is the only candidate that begins with the word, if that has two letters or more; else
  /// the candidate with the fewest edits, if they are at most one for each three letters of the word,
  /// or one edit. Of several it is one that lacks only letters (`hello` for `helo`), else the first. If no
  /// candidate is so similar, it is the longest one that the word begins with (`--aud` for `--audience`).
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.count <= 64 else { return nil }
    let continued = candidates.filter { $0.hasPrefix(word) }
    if word.count > 1, continued.count == 1 { return continued.first }
    let limit = max(1, word.count / 3)
    let ranked = candidates.map { name in
      (name: name, distance: distance(word, name), rank: isContained(word, in: name) ? 0 : 1)
    }
    guard
      let best = ranked.min(by: { ($0.distance, $0.rank) < ($1.distance, $1.rank) }),
      best.distance <= limit,
      best.distance < best.name.count
    else {
      return candidates.filter { $0.count > 2 && word.hasPrefix($0) }.max { $0.count < $1.count }
    }
    return best.name
  }

  /// Whether a name has the letters of a word in their order.
  private static func isContained(_ word: String, in name: String) -> Bool {
    var rest = word[...]
    for letter in name where letter == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// Damerau-Levenshtein distance, in which a swap of neighbours is one edit.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    var before: [Int] = []
    var previous = Array(0...b.count)
    for i in 0..<a.count {
      var current = [i + 1]
      for j in 0..<b.count {
        var best = min(
          previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, before[j - 1] + 1)
        }
        current.append(best)
      }
      before = previous
      previous = current
    }
    return previous[b.count]
  }
}
