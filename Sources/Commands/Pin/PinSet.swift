import Arguments
import Pinning
import Primitives
import SDKCore

enum PinSetCommand: Command {
  static let page = CommandInfo(
    name: "set", summary: "Change the policy, the expiry or the comment of pins",
    description: """
      Changes the policy, the expiry date or the comment of the pins of a host: `sdkctl pin set api.test --policy \
      report` lets requests to this host pass although no key matches, and prints a warning each \
      time. Without `--policy` of its own, a host has the `pinPolicy` of the profile.

      HOST is a host or a pattern, as `sdkctl pin list` prints it: only the set of exactly this \
      host or pattern changes.
      """,
    examples: [
      ("sdkctl pin set api.example.com --policy report", "Report mismatches of one host only"),
      ("sdkctl pin set api.example.com --expires never", "Remove the expiry date"),
    ],
    exitCodes: [8], seeAlso: ["pin add", "pins"],
    output: PinSet.rows.document)

  struct Arguments: CommandArguments {
    var pattern = ""
    var policy: PolicyChange?
    var expires: ExpiryChange?
    var comment: String?
    var noBackup = false
  }

  enum PolicyChange: String, Sendable, CaseIterable {
    case enforce, report, profile
  }

  enum ExpiryChange: Sendable {
    case never
    case at(Timestamp)
  }

  static let options: [Option<Arguments>] = [
    .choice("policy", "POLICY", \.policy, "Enforce, only report, or do as the profile says"),
    .value("expires", "DATE", \.expires, "Refuse the host after this day, or never") {
      (text) throws(ValueError) in text == "never" ? .never : .at(try PinAdd.end(text))
    },
    .value("comment", "TEXT", \.comment, "Store this remark; an empty one removes it")
      .allowingEmpty(),
    .flag("no-backup", \.noBackup, "Enforce although there is no backup pin"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("HOST", \.pattern, "The host, or a pattern").completing(.dynamic("pinned-hosts"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard arguments.policy != nil || arguments.expires != nil || arguments.comment != nil else {
      throw Failure.usage("nothing to change: --policy, --expires or --comment is needed")
    }
    guard let pattern = PinPattern(argument: arguments.pattern) else {
      throw Failure.notHost(arguments.pattern)
    }
    let session = try context.session()
    let set = try session.set(of: pattern)
    guard arguments.policy != .enforce || set.hasBackup || arguments.noBackup else {
      throw Failure.singlePin(of: set)
    }
    try await session.pinning.change { sets in
      sets[set.pattern].map { sets.adding(changed($0, arguments)) } ?? sets
    }
    context.report(changed(set, arguments), PinSet.rows, "changed the pins of \(set.pattern)")
  }

  private static func changed(_ set: PinSet, _ arguments: Arguments) -> PinSet {
    var set = set
    switch arguments.policy {
    case .enforce: set.policy = .enforce
    case .report: set.policy = .report
    case .profile: set.policy = nil
    case nil: break
    }
    switch arguments.expires {
    case .never: set.expires = nil
    case .at(let time): set.expires = time
    case nil: break
    }
    if let comment = arguments.comment { set.comment = comment.isEmpty ? nil : comment }
    return set
  }
}
