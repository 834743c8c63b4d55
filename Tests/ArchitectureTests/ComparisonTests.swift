import Foundation
import Testing

/// Swift compares strings by canonical equivalence, and lowers letters that are not ASCII to ASCII:
/// both turn identifiers that differ into one.
@Suite("Source files compare identifiers")
struct ComparisonTests {
  @Test("as bytes: with sameIdentifier, and not with == or contains", arguments: Tree.product)
  func operators(file: Tree.File) {
    for line in file.code {
      for name in Self.compared(in: line.text) {
        Issue.record("\(file):\(line.number) compares \(name) by canonical equivalence")
      }
    }
  }

  @Test("in lower case by ASCII letters only", arguments: Tree.product)
  func lowercasing(file: Tree.File) {
    for line in file.code where line.text.contains(".lowercased()") {
      Issue.record("\(file):\(line.number) uses lowercased(), not asciiLowercased")
    }
  }

  @Test("from the files that call them", arguments: Tree.product)
  func rawValues(file: Tree.File) {
    guard ["JOSE", "OAuth", "SDKCore"].contains(file.module) else { return }
    for line in file.code
    where line.text.contains("rawValue:)") || line.text.contains("(rawValue: try") {
      Issue.record("\(file):\(line.number) uses init(rawValue:), not init(identifier:)")
    }
  }

  @Test(
    "are searched for comparisons",
    arguments: [
      ("guard token.issuer == issuer else {", ["token.issuer", "issuer"]),
      ("if let issuer, metadata.issuer.text != issuer {", ["metadata.issuer.text", "issuer"]),
      ("guard claims[]?.string == value else", ["claims[]?.string"]),
      ("a.subject != b?.subject", ["a.subject", "b?.subject"]),
      ("return x == (try implicitGrantor()?.idToken)", ["implicitGrantor()?.idToken"]),
      ("&& != nonce", ["nonce"]), ("token.audience.contains(clientID)", ["clientID"]),
      ("issuer == nil || nil != subject", []), ("key.kind == .issuer", []),
      ("issuers == 1", []), ("issuer == ", []), ("sameIdentifier(a.issuer, b)", []),
      ("state == .clientID", []),
      ("f(isSet: subject != nil)", []), ("extras.contains(Grant.deviceCode)", []),
      ("audience.contains(identifier: clientID)", []),
    ])
  func looking(line: String, found: [String]) {
    #expect(Self.compared(in: line) == found)
  }

  /// The operands of a line that are identifiers and are compared as strings of Swift.
  private static func compared(in line: String) -> [String] {
    var found: [String] = []
    for sign in ["==", "!="] {
      let parts = line.components(separatedBy: " \(sign) ")
      for (left, right) in zip(parts, parts.dropFirst()) {
        let operands = [trailing(left), leading(right)]
        // With nothing, a case or a literal (emptied here) as the other side, nothing is confused.
        if operands.contains(where: { $0 == "nil" || $0.hasPrefix(".") }) || operands[1].isEmpty {
          continue
        }
        found += operands.filter(isIdentifier)
      }
    }
    let calls = line.components(separatedBy: ".contains(").dropFirst()
    return found + calls.map { leading($0) }.filter(isIdentifier)
  }

  private static func trailing(_ text: String) -> String {
    let word = String(text.reversed().prefix(while: isPart).reversed())
    return String(word.drop { $0 == "(" })
  }

  private static func leading(_ text: String) -> String {
    let text = text.drop { $0 == "(" }
    let word = text.hasPrefix("try ") ? text.dropFirst(4) : text
    var operand = String(word.prefix(while: isPart))
    // A parenthesis that was opened before the operand does not belong to it.
    while operand.count(where: { $0 == ")" }) > operand.count(where: { $0 == "(" }) {
      operand.removeLast(operand.last == ")" ? 1 : operand.count)
    }
    return operand
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_.?!()[]".contains(character)
  }

  private static func isIdentifier(_ operand: String) -> Bool {
    let path = operand.split { ".?!()".contains($0) }.map(String.init)
    // A constant of a type is a word of the protocol that this program chose.
    guard let last = path.last, path[0].first?.isUppercase == false else { return false }
    if last == "text", path.count > 1 { return names.contains(path[path.count - 2]) }
    return names.contains(last) || (last == "string" && path.count > 1)
  }

  private static let names: Set<String> = [
    "issuer", "subject", "audience", "authorizedParty", "clientID", "nonce", "keyID", "kid",
    "idToken", "accessToken", "refreshToken", "deviceCode", "userCode", "redirectURI",
    "thumbprint", "acr", "alias",
  ]
}
