import POSIX
import Primitives
import SDKCore
import Synchronization

/// A flag that is set once in a run.
final class OnceFlag: Sendable {
  private let isSet = Atomic(false)

  /// Sets it; returns whether it was not set.
  func set() -> Bool { !isSet.exchange(true, ordering: .relaxed) }
}

/// The profile that a command uses, and what chose it.
struct ProfileChoice {
  enum Source {
    case operand, option, environment, file(String), current
  }

  let name: ProfileName
  var source: Source
}

extension ProfileChoice.Source {
  /// As in JSON.
  var word: String {
    switch self {
    case .operand: "operand"
    case .option: "flag"
    case .environment: "environment"
    case .file: "directory"
    case .current: "current"
    }
  }

  /// The file that names the profile.
  var file: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// For people, after the name of the profile.
  var phrase: String {
    switch self {
    case .operand: "named on the command line"
    case .option: "chosen by --profile"
    case .environment: "chosen by SDKCTL_PROFILE"
    case .file(let path): "chosen by \(path)"
    case .current: "the current profile"
    }
  }
}

extension Context {
  /// The profile of the option, else of the environment, the directory, or the current one.
  func profileName() throws -> ProfileName { try profileChoice().name }

  /// The profile that the command uses, and what chose it.
  ///
  /// An issuer's URL stands for the one profile that has it.
  func profileChoice() throws -> ProfileChoice {
    let store = try store()
    if let text = globals.profile ?? environment.profile {
      let name = try text.containsText("://") ? store.name(ofIssuer: text) : ProfileName(text)
      return ProfileChoice(
        name: name, source: globals.profile == nil ? .environment : .option)
    }
    if let found = try directoryProfile() {
      guard store.contains(found.name) else {
        throw Failure(
          .noProfile, "could not find the profile '\(found.name)', which '\(found.path)' names",
          hints: [Remedy.chooseProfile.commandLine(for: nil)])
      }
      return ProfileChoice(name: found.name, source: .file(found.path))
    }
    guard let name = try store.current() else {
      throw Self.noProfile(among: (try? store.names()) ?? [], in: store)
    }
    return ProfileChoice(name: name, source: .current)
  }

  /// The profile that the operand or `--profile` names, which name the same if both are given.
  func named(_ operand: String?) throws -> String? {
    if let named = globals.profile, let operand, named != operand {
      throw Failure.usage("'--profile' and the operand name two profiles")
    }
    return operand ?? globals.profile
  }

  /// The profile of a command that is never about the current one because nobody named another.
  func requiredProfile(_ operand: String?) throws -> ProfileName {
    guard let name = try named(operand) else { throw Failure.usage("operand NAME is missing") }
    return try with(profile: name).profileName()
  }

  /// Tells which profile a command is about that ends or begins something at a server, if a file has chosen it.
  func noteFileChoice() throws {
    let choice = try profileChoice()
    guard case .file = choice.source else { return }
    note("the profile is '\(choice.name)', \(choice.source.phrase)")
  }

  /// The profile that a file of the working directory names, or of one above it.
  private func directoryProfile() throws -> DirectoryProfile? {
    let search = try DirectoryProfile.search(
      for: ".sdkctl-profile", from: ports.directory(), home: environment.home)
    if !search.ignored.isEmpty, ignoredFiles.set() {
      for path in search.ignored { note("ignored '\(path)': it belongs to another user") }
    }
    return search.found
  }

  /// No profile is chosen; the hint chooses the only one, or names what lists or makes them.
  private static func noProfile(
    among names: [ProfileName], in store: ProfileStore
  ) -> Failure {
    let hints =
      switch names.count {
      case 0:
        [
          "sdkctl profile add NAME --issuer URL --resource-url URL --pin",
          "to try the commands with a server on this machine: `sdkctl sandbox start`",
        ]
      case 1: [ShellWord.sdkctl("profile", "use", names[0])]
      default: ["choose one of `sdkctl profile list` with `sdkctl profile use NAME`"]
      }
    let cause = names.isEmpty ? "there is none" : "none is current"
    var failure = Failure(
      .noProfile, "could not choose a profile: \(cause) in '\(store.location.config)'", hints: hints
    )
    failure.resource = ResourceError(.noProfile)
    return failure
  }

  /// Whether a profile is named, or one is current.
  func hasProfile() throws -> Bool {
    if globals.profile != nil || environment.profile != nil { return true }
    if try directoryProfile() != nil { return true }
    let store = try store()
    return try store.current() != nil
  }
}
