import Arguments
import JSON
import Pinning
import SDKCore

/// `sdkctl profile lint` -- check the settings of a profile without a connection.
enum ProfileLint: Command {
  static let page = CommandInfo(
    name: "lint", summary: "Check the settings of a profile",
    description: """
      Checks the settings of the profile, or of a FILE that {profile import} reads, and prints what is wrong \
      and what protects less than it could: `sdkctl profile lint`. Nothing is printed if all is well. It \
      makes no connection.

      * `malformed`: the file is not JSON (error).
      * `unknown-key`: there is no such setting (error).
      * `invalid-value`: a value of another type, or one that cannot be used (error).
      * `contradiction`: settings that cannot work together, or one that another needs (error).
      * `plain-http`: requests without TLS (error; warning if `insecureLoopback` allows it).
      * `unpinned`: a host of the profile has no pins (warning).
      * `not-enforced`: `pinPolicy` is `report` (warning).
      * `switched-off`: a check is switched off, or something risky is allowed (warning).
      * `open-scheme`: any program can claim the scheme of `redirectURI` (warning).
      * `damaged-user`: what is stored of a user cannot be read (error).
      * `unknown-user`: something among the users that is not the directory of one (warning).
      * `foreign-owner`: the directory of a user belongs to somebody else, or others may use it (error).

      The exit status is 11 if there is an error, or with `--strict` a warning. {pin lint} checks the pins \
      themselves.

      Each line has these fields, separated by tabs: the line of the file, severity, problem, setting \
      or file of the profile, and the explanation.
      """,
    examples: [
      ("sdkctl profile lint --strict", "Check in CI"),
      ("sdkctl profile lint work.json", "Check a file before it is imported"),
    ],
    exitCodes: [3, 11], seeAlso: ["profile import", "pin lint", "profiles"],
    json: """
      An array of objects: `setting`, `line` (or null), `severity` (`error` or `warning`), `problem` and \
      `message`.
      """)

  struct Arguments: CommandArguments {
    var file: String?
    var strict = false
  }

  static let options: [Option<Arguments>] = [
    .flag("strict", nil, \.strict, "Exit with 11 for warnings too")
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("FILE", \.file, "The file, - for standard input; by default the profile")
      .completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let problems =
      if let file = arguments.file { try Self.problems(of: file, context) } else {
        try await problemsOfProfile(context)
      }
    if context.globals.json {
      context.print(.array(problems.map(\.json)))
    } else {
      context.print(
        TextTable("LINE", "SEVERITY", "PROBLEM", "SETTING", "MESSAGE", rows: problems.map(\.cells)))
    }
    let hasErrors = problems.contains { $0.severity == .error }
    if hasErrors || arguments.strict && !problems.isEmpty { throw Failure.silent(.verification) }
  }

  private static func problemsOfProfile(_ context: Context) async throws -> [ProfileProblem] {
    let (name, store) = (try context.profileName(), try context.store())
    // Damaged pins are what `pin lint` is for.
    let pins = (try? PinStore(store.location, name).load()) ?? PinSets()
    return ProfileLinter(pins: pins).problems(in: try store.bytes(of: name))
      + (try await store.userProblems(of: name))
  }

  private static func problems(of file: String, _ context: Context) throws -> [ProfileProblem] {
    if AppConfiguration.isFolder(file) {
      return try problems(of: try AppConfiguration(folder: file))
    }
    let bytes = try context.read(file, "the settings", limit: AppConfiguration.maximumSize)
    let isJSON = bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
    do throws(SDKError) {
      switch try ProfileDocument(reading: bytes) {
      case .open(let export):
        return ProfileLinter(pins: PinSets(try export.pinSets())).problems(in: export.settings)
      case .sealed:
        throw SDKError(
          .invalidRequest, "could not check the settings: they are encrypted; import them first")
      case .configuration(let configuration):
        guard configuration.kind == .settings, isJSON else {
          return try problems(of: configuration)
        }
      }
    } catch {
      // What is wrong with plain settings is what the linter reports.
      guard isJSON, (try? JSON(parsing: bytes))?.object?[ProfileDocument.mark] == nil else {
        throw error
      }
    }
    return ProfileLinter(pins: PinSets()).problems(in: bytes)
  }

  private static func problems(
    of configuration: AppConfiguration
  ) throws(SDKError) -> [ProfileProblem] {
    let profile = try configuration.applied(to: try Profile(name: try ProfileName("new")))
    return ProfileLinter(pins: PinSets(configuration.pinSets)).problems(in: profile.members)
  }
}

extension ProfileProblem {
  fileprivate var cells: [TextTable.Cell] {
    [
      .init(line.map(String.init) ?? "-"),
      .init(severity.rawValue, severity == .error ? .bad : .warning), .init(kind.rawValue),
      .init(path.isEmpty ? "-" : path), .init(text),
    ]
  }

  fileprivate var json: JSON {
    [
      "setting": .string(path), "line": line.map { .int(Int64($0)) } ?? .null,
      "severity": .string(severity.rawValue), "problem": .string(kind.rawValue),
      "message": .string(text),
    ]
  }
}
