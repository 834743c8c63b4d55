/// Which passcodes may be chosen, and what follows wrong ones.
public struct PasscodePolicy: Sendable, Hashable {
  /// The least number of characters.
  public var minimumLength = 6
  /// The greatest number of characters.
  public var maximumLength = 64
  /// How often a passcode of digits may have the same digit; `nil` for any number.
  public var maximumSimilarDigits: Int? = 3
  /// Whether the digits of a passcode may go up or down in equal steps (`123456`, `97531`).
  public var allowsSequences = false
  /// Passcodes that nobody may choose.
  public var blockList: Set<String> = []
  /// How many wrong passcodes in a row lock what the passcode opens.
  public var maximumAttempts = 5

  /// Makes the policy that is used unless the profile has another one.
  public init() {}

  /// What is wrong with a passcode that somebody chose.
  public enum Violation: Sendable, Hashable, CustomStringConvertible {
    /// It has fewer characters than the minimum.
    case tooShort(minimum: Int)
    /// It has more characters than the maximum.
    case tooLong(maximum: Int)
    /// It is not one line of text.
    case notText
    /// It has one digit more often than allowed.
    case similarDigits(maximum: Int)
    /// Its digits count up or down.
    case sequence
    /// It is on the block list.
    case blocked
    /// It is the old one.
    case unchanged

    /// The reason: lower case, no period, without the passcode.
    public var description: String {
      switch self {
      case .tooShort(let minimum): "the passcode has fewer than \(minimum) characters"
      case .tooLong(let maximum): "the passcode has more than \(maximum) characters"
      case .notText: "the passcode is not one line of text"
      case .similarDigits(let maximum): "the passcode has the same digit more than \(maximum) times"
      case .sequence: "the digits of the passcode count up or down"
      case .blocked: "the passcode is too easy to guess"
      case .unchanged: "the new passcode is the old one"
      }
    }

    /// The number of the same failure in the vendors' SDKs; `nil` where they have none.
    public var resource: ResourceError? {
      switch self {
      case .tooShort, .tooLong: .wrongPINLength
      case .similarDigits: .pinHasSimilarDigits
      case .sequence: .pinIsSequence
      case .blocked: .pinBlackListed
      case .notText, .unchanged: nil
      }
    }
  }

  /// What is wrong with a passcode; `nil` if it may be chosen.
  public func violation(of passcode: [UInt8]) -> Violation? {
    guard let text = String(validating: passcode, as: UTF8.self),
      passcode.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return .notText }
    guard text.count >= minimumLength else { return .tooShort(minimum: minimumLength) }
    guard text.count <= maximumLength else { return .tooLong(maximum: maximumLength) }
    guard !blockList.contains(text) else { return .blocked }
    guard passcode.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if let maximumSimilarDigits {
      let counts = Dictionary(grouping: passcode) { $0 }.values.map(\.count)
      guard (counts.max() ?? 0) <= maximumSimilarDigits else {
        return .similarDigits(maximum: maximumSimilarDigits)
      }
    }
    return !allowsSequences && Self.isSequence(passcode) ? .sequence : nil
  }

  /// Whether the digits go up or down in equal steps (`13579`); 0 follows 9 in steps of one.
  private static func isSequence(_ digits: [UInt8]) -> Bool {
    let steps = zip(digits, digits.dropFirst()).map { Int($1) - Int($0) }
    guard let first = steps.first, first != 0 else { return false }
    let modular = steps.map { ($0 + 10) % 10 }
    return steps.allSatisfy { $0 == first } || modular.allSatisfy { $0 == 1 }
      || modular.allSatisfy { $0 == 9 }
  }

  /// The seconds after a number of wrong passcodes for which no passcode is accepted: none after the first
  /// two, then 30, and each time twice as long, at most an hour.
  package func coolDown(after failures: Int) -> Int64 {
    failures < 3 ? 0 : min(30 << Int64(min(failures - 3, 10)), 3600)
  }
}

/// The settings of a group that say which passcodes may be chosen, and what follows wrong ones.
package struct PasscodeKeys: Sendable {
  private let minimumLength: Key<Int>
  private let maximumLength: Key<Int>
  private let similarDigits: Key<Int>
  private let sequences: Key<Bool>
  private let blocked: Key<[String]>
  private let attempts: Key<Int>

  package init(
    _ group: String, _ heading: SettingHeading, lengths: ClosedRange<Int>, atLimit effect: String
  ) {
    let maximum = Key<Int>(
      "\(group).passcodeMaximumLength", heading, .count(from: 1), .lower,
      default: lengths.upperBound, "The greatest number of characters of a passcode", example: "16")
    maximumLength = maximum
    minimumLength = Key<Int>(
      "\(group).passcodeMinimumLength", heading, .count(from: 1), .lower,
      default: lengths.lowerBound, "The least number of characters of a passcode", example: "8",
      needs: { least, profile in
        least > profile[maximum] ? [.other("a '\(maximum.name)' that is not less")] : []
      })
    similarDigits = Key<Int>(
      "\(group).passcodeSimilarDigits", heading, .count(from: 1), .higher, default: 3,
      "How often a passcode of digits may have the same digit", example: "2")
    sequences = Key<Bool>(
      "\(group).passcodeSequences", heading, .flag, .exposes, default: false,
      "Whether the digits of a passcode may go up or down in equal steps", example: "true")
    blocked = Key<[String]>(
      "\(group).passcodeBlocked", heading, .words, .fewer, default: [],
      "Passcodes that nobody may choose", example: "271828 314159")
    attempts = Key<Int>(
      "\(group).passcodeAttempts", heading, .count(from: 1), .higher, default: 5,
      "How many wrong passcodes in a row \(effect)", example: "3")
  }

  package var rows: [ProfileKey] {
    [
      minimumLength.row, maximumLength.row, similarDigits.row, sequences.row, blocked.row,
      attempts.row,
    ]
  }

  package func policy(of profile: Profile) -> PasscodePolicy {
    var policy = PasscodePolicy()
    policy.minimumLength = profile[minimumLength]
    policy.maximumLength = profile[maximumLength]
    policy.maximumSimilarDigits = profile[similarDigits]
    policy.allowsSequences = profile[sequences]
    policy.blockList = Set(profile[blocked])
    policy.maximumAttempts = profile[attempts]
    return policy
  }
}

extension Profile {
  var sealPolicy: PasscodePolicy { ProfileKeys.shared.sealPasscode.policy(of: self) }
}
