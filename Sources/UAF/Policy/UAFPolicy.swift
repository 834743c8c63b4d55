import JSON

/// Which authenticators a server accepts (dictionary `Policy`).
package struct UAFPolicy: Sendable, Hashable {
  /// The alternatives: one suffices, and an alternative needs an authenticator for each of its
  /// criteria.
  package let accepted: [[MatchCriteria]]
  /// What no authenticator may match.
  package let disallowed: [MatchCriteria]

  package init(accepted: [[MatchCriteria]], disallowed: [MatchCriteria] = []) {
    self.accepted = accepted
    self.disallowed = disallowed
  }

  init(_ value: JSON?) throws(UAFError) {
    let reader = try MessageReader(value, "the policy")
    let alternatives = try reader.array("accepted")
    guard (1...Limits.elements).contains(alternatives.count) else {
      throw .malformed("'accepted' of the policy has \(alternatives.count) elements")
    }
    var accepted: [[MatchCriteria]] = []
    for alternative in alternatives {
      guard let criteria = alternative.array, !criteria.isEmpty else {
        throw .malformed("an element of 'accepted' of the policy is not an array of criteria")
      }
      accepted.append(try Self.criteria(criteria))
    }
    self.accepted = accepted
    disallowed = try Self.criteria(try reader.optionalArray("disallowed") ?? [])
  }

  private static func criteria(_ values: [JSON]) throws(UAFError) -> [MatchCriteria] {
    guard values.count <= Limits.elements else {
      throw .malformed("the policy has \(values.count) criteria in one array")
    }
    var criteria: [MatchCriteria] = []
    for value in values { criteria.append(try MatchCriteria(value)) }
    return criteria
  }
}
