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
