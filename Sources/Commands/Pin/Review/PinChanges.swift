import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// Changes of pins that come from a document or a server: what is shown of them and agreed to.
struct PinChanges {
  let differences: [PinDifference]
  /// The policy of sets that do not have their own.
  let policy: PinPolicy

  /// The lines for people: the keys and the settings of each set that changes.
  func lines(_ width: Int?) -> [String] { differences.flatMap { lines(of: $0, width) } }

  /// The sets that change, each under the policy of the profile.
  var sets: [(difference: PinDifference, policy: PinPolicy)] { differences.map { ($0, policy) } }

  static let rows = Rows<(difference: PinDifference, policy: PinPolicy)>(
    .member("host", "the pattern") { $0.difference.new.pattern.description },
    .list("added", "the new pins", PinnedKey.brief) { $0.difference.added },
    .list("removed", "the pins that go", PinnedKey.brief) { $0.difference.removed },
    .member("policy", "`enforce` or `report`") {
      ($0.difference.new.policy ?? $0.policy).rawValue
    },
    .member("expires", "when the pins end") { $0.difference.new.expires },
    .member("weaker", "the names of those of the last two that protect less than before") {
      $0.difference.weakenings(under: $0.policy).map(\.rawValue)
    })

  /// The same of an import, which removes no pin.
  static let additions = Rows(rows.members.filter { $0.doc.name != "removed" })

  /// Throws unless a person agrees to what protects less than before, or has agreed to it already
  /// with `--allow-weaker`.
  ///
  /// Nobody is asked with `--yes`, which agrees to keys and stricter settings only.
  func agreeToWeaker(isAgreed: Bool, refuses: Bool, in context: Context) async throws {
    let weaker = differences.filter { !$0.weakenings(under: policy).isEmpty }
    guard let first = weaker.first else { return }
    let subject = weaker.count == 1 ? first.new.pattern.description : "\(weaker.count) hosts"
    try await context.agreeToWeaker(
      "Protect \(subject) less than before (the lines with !)?",
      "could not change the pins of \(subject): they would protect less than before",
      weaker.flatMap { difference in
        settings(of: difference).filter(\.isWeaker).map { "\(difference.new.pattern): \($0.text)" }
      }, isAgreed: isAgreed, refuses: refuses)
  }

  private func lines(of difference: PinDifference, _ width: Int?) -> [String] {
    let (added, removed) = (difference.added, difference.removed)
    let kept = difference.old.keys.filter { key in !added.contains { $0.pin == key.pin } }
    let rows =
      kept.map { cells(removed.contains($0) ? "-" : " ", $0) } + added.map { cells("+", $0) }
    // What a host without pins has is the policy of the profile.
    let settings = difference.new.keys.isEmpty ? [] : settings(of: difference)
    return ["\(difference.new.pattern):"] + TextTable(["", "", ""], rows: rows).fitted(to: width)
      + settings.map { "\($0.isWeaker ? "!" : " ") \($0.text)" }
  }

  private func cells(_ mark: String, _ key: PinnedKey) -> [TextTable.Cell] {
    [.init("\(mark) \(key.pin)"), .init(key.role.rawValue), .init(key.label ?? "-")]
  }

  /// What the set says besides its keys, with what applied before if that differs.
  private func settings(of difference: PinDifference) -> [(text: String, isWeaker: Bool)] {
    let new = difference.new
    // A host without a set is under the policy of the profile.
    let before = difference.before ?? PinSet(new.pattern, expires: new.expires, keys: [])
    let weaker = difference.weakenings(under: policy)
    func setting(
      _ name: String, _ weakening: PinWeakening?, _ value: (PinSet) -> String
    ) -> (text: String, isWeaker: Bool) {
      let (now, then) = (value(new), value(before))
      return (
        "\(name): \(now)\(now == then ? "" : " (before: \(then))")",
        weakening.map(weaker.contains) ?? false
      )
    }
    return [
      setting("policy", .policy) { ($0.policy ?? policy).rawValue },
      setting("expires", .expires) { $0.expires?.description ?? "never" },
      setting("subdomains", nil) { $0.pattern.subdomains.name },
    ]
  }
}

extension PinnedKey {
  static let brief = Rows<PinnedKey>(
    .member("pin", "the pin") { $0.pin }, .member("role", "its role") { $0.role.rawValue })
}
