import Primitives

extension UAFPolicy {
  /// The combinations of authenticators that the server accepts, those that it prefers first.
  ///
  /// A combination has one authenticator for each criterion of an alternative, each another one
  /// (FIDO UAF Protocol 1.1, Policy). An alternative of one criterion makes a combination of each
  /// authenticator that matches, any other makes at most one.
  ///
  /// - Parameter authenticators: what there is to choose from.
  /// - Returns: indices into `authenticators`; none if the policy accepts none of them.
  package func combinations(of authenticators: [AuthenticatorDescription]) -> [[Int]] {
    let allowed = authenticators.indices.filter { index in
      !disallowed.contains { $0.matches(authenticators[index]) }
    }
    var found: [[Int]] = []
    for criteria in accepted where criteria.count <= allowed.count {
      let matching = criteria.map { criterion in
        allowed.filter {
          !criterion.requiresExtension && criterion.matches(authenticators[$0])
        }
      }
      let combinations =
        matching.count == 1 ? matching[0].map { [$0] } : Self.distinct(matching).map { [$0] } ?? []
      for combination in combinations where !found.contains(combination) {
        found.append(combination)
      }
    }
    return found
  }

  /// One element of each list, each another one: a matching in a bipartite graph, by augmenting
  /// paths.
  private static func distinct(_ lists: [[Int]]) -> [Int]? {
    var owners: [Int: Int] = [:]
    func assign(_ position: Int, _ visited: inout Set<Int>) -> Bool {
      for candidate in lists[position] where visited.insert(candidate).inserted {
        guard let owner = owners[candidate] else {
          owners[candidate] = position
          return true
        }
        if assign(owner, &visited) {
          owners[candidate] = position
          return true
        }
      }
      return false
    }
    for position in lists.indices {
      var visited: Set<Int> = []
      guard assign(position, &visited) else { return nil }
    }
    var chosen = [Int](repeating: 0, count: lists.count)
    for (candidate, position) in owners { chosen[position] = candidate }
    return chosen
  }
}

extension MatchCriteria {
  /// Whether an authenticator has all that is asked for; extensions apart.
  package func matches(_ authenticator: AuthenticatorDescription) -> Bool {
    matchesModel(authenticator) && matchesFlags(authenticator)
      && matches(keyIDs) { id in authenticator.keyIDs.contains(identifier: id) }
      && (authenticatorVersion.map { authenticator.authenticatorVersion >= $0 } ?? true)
  }

  /// Whether the criterion has an extension that must be known, and is not.
  var requiresExtension: Bool { extensions.contains(where: \.failIfUnknown) }

  private func matchesModel(_ authenticator: AuthenticatorDescription) -> Bool {
    matches(aaids) { AAID($0) == authenticator.aaid }
      && matches(vendorIDs) { $0.equalsIgnoringCase(authenticator.aaid.vendorID) }
      && matches(authenticationAlgorithms) { $0 == authenticator.encoding.signatureAlgorithm }
      && matches(assertionSchemes) { sameIdentifier($0, AssertionScheme.tlv) }
      && matches(attestationTypes, authenticator.attestationTypes.contains)
  }

  private func matchesFlags(_ authenticator: AuthenticatorDescription) -> Bool {
    matchesVerification(authenticator.userVerification)
      && hasCommonFlag(keyProtection, authenticator.keyProtection)
      && hasCommonFlag(matcherProtection, authenticator.matcherProtection)
      && hasCommonFlag(attachmentHint, authenticator.attachmentHint)
      && hasCommonFlag(tcDisplay, authenticator.tcDisplay)
  }

  /// Equal sets match; sets of alternatives match if they share one.
  private func matchesVerification(_ methods: UInt32) -> Bool {
    guard let userVerification, userVerification != methods else { return true }
    let isCombination =
      (userVerification | methods) & AuthenticatorDescription.allVerifications != 0
    return !isCombination && userVerification & methods != 0
  }

  private func hasCommonFlag<Flags: FixedWidthInteger>(_ wanted: Flags?, _ flags: Flags) -> Bool {
    wanted.map { $0 & flags != 0 } ?? true
  }

  private func matches<Value>(_ list: [Value]?, _ isMet: (Value) -> Bool) -> Bool {
    list.map { $0.contains(where: isMet) } ?? true
  }
}
