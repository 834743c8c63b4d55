import JSON
import Primitives

/// Which authenticators a server accepts (dictionary `Policy`).
package struct UAFPolicy: Sendable, Hashable {
  /// The alternatives: one suffices, and an alternative needs an authenticator for each of its
  /// criteria.
  package let accepted: [[MatchCriteria]]
  /// What no authenticator may match.
  package let disallowed: [MatchCriteria]

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

/// What an authenticator must have (dictionary `MatchCriteria`); an absent member restricts nothing.
package struct MatchCriteria: Sendable, Hashable {
  package let aaids: [String]?
  package let vendorIDs: [String]?
  /// In base64url.
  package let keyIDs: [String]?
  package let userVerification: UInt32?
  package let keyProtection: UInt16?
  package let matcherProtection: UInt16?
  package let attachmentHint: UInt32?
  package let tcDisplay: UInt16?
  package let authenticationAlgorithms: [UInt16]?
  package let assertionSchemes: [String]?
  package let attestationTypes: [UInt16]?
  /// The lowest version of the authenticator.
  package let authenticatorVersion: UInt16?
  /// Whether it has an extension that must be known, and is not.
  package let requiresExtension: Bool

  init(_ value: JSON) throws(UAFError) {
    let reader = try MessageReader(value, "a criterion of the policy")
    aaids = try reader.optionalTexts("aaid")
    vendorIDs = try reader.optionalTexts("vendorID")
    keyIDs = try reader.optionalTexts("keyIDs")
    userVerification = try reader.optionalNumber("userVerification")
    keyProtection = try reader.optionalNumber("keyProtection")
    matcherProtection = try reader.optionalNumber("matcherProtection")
    attachmentHint = try reader.optionalNumber("attachmentHint")
    tcDisplay = try reader.optionalNumber("tcDisplay")
    authenticationAlgorithms = try reader.optionalNumbers("authenticationAlgorithms")
    assertionSchemes = try reader.optionalTexts("assertionSchemes")
    attestationTypes = try reader.optionalNumbers("attestationTypes")
    authenticatorVersion = try reader.optionalNumber("authenticatorVersion")
    requiresExtension = try reader.requiredExtension() != nil
    for keyID in keyIDs ?? [] where Base64.decode(keyID.utf8, alphabet: .url) == nil {
      throw .malformed("an element of 'keyIDs' of the policy is not base64url")
    }
    try checkCombination(of: reader)
  }

  /// `aaid` stands for the other properties of the model (FIDO UAF Protocol 1.1, MatchCriteria).
  ///
  /// Without it, algorithm and scheme should be there, which the examples of that document leave out.
  private func checkCombination(of reader: MessageReader) throws(UAFError) {
    guard (Self.excludedByAAID + Self.others).contains(where: reader.has) else {
      throw .malformed("\(reader.subject) is empty")
    }
    guard aaids != nil else { return }
    for name in Self.excludedByAAID where reader.has(name) {
      throw .malformed("\(reader.subject) has both 'aaid' and '\(name)'")
    }
  }

  private static let excludedByAAID = [
    "vendorID", "userVerification", "keyProtection", "matcherProtection", "tcDisplay",
    "authenticationAlgorithms", "assertionSchemes", "attestationTypes",
  ]

  private static let others = ["aaid", "keyIDs", "attachmentHint", "authenticatorVersion"]

  /// Whether an authenticator has all that is asked for; extensions apart.
  package func matches(_ authenticator: AuthenticatorDescription) -> Bool {
    matchesModel(authenticator) && matchesFlags(authenticator)
      && matches(keyIDs) { id in authenticator.keyIDs.contains(identifier: id) }
      && (authenticatorVersion.map { authenticator.authenticatorVersion >= $0 } ?? true)
  }

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
