import Arguments
import JSON
import POSIX
import SDKCore
import Synchronization

/// The options that a person has set in `config.json`, or the administrator in that of the site.
///
/// All come from the table: every option can be set but `--profile`, for which `current` is.
final class PersonalDefaults: Sendable {
  private let environment: Environment
  private let store: @Sendable () throws -> ProfileStore
  /// Read once, at the first option.
  private let documents = Mutex<[ProfileStore.Configuration]?>(nil)

  init(_ environment: Environment, in store: @escaping @Sendable () throws -> ProfileStore) {
    self.environment = environment
    self.store = store
  }

  /// The defaults for the table; `nil` if there are none, so that a command without them pays nothing.
  ///
  /// A file that cannot be read is an error of the first command that would use it.
  var lookup: OptionDefaults? {
    do { if try (try? store())?.mayHaveDefaults() != true { return nil } } catch {}
    return { @Sendable [self] path, option in try value(path, option) }
  }

  /// Whether a command works whatever a file has.
  static func works(_ path: [String]) -> Bool {
    path.first.map { ["help", "version", "completion", "doctor", "config"].contains($0) } ?? false
  }

  /// The default of an option, of the first file that has it; `nil` too if its variable is set.
  func value(_ path: [String], _ option: OptionDoc) throws -> OptionDefault? {
    if Self.works(path) { return nil }
    if let name = option.environment, let text = environment[name], !text.isEmpty { return nil }
    let documents = try documents.withLock { $0 } ?? load()
    for document in documents {
      for command in [path.joined(separator: " "), Self.everyCommand] {
        guard let value = document.members[command]?[option.long] else { continue }
        return OptionDefault(
          origin: "\(document.path): defaults.\(command).\(option.long)",
          settings: try Self.settings(value, option, document.path, command))
      }
    }
    return nil
  }

  /// Refuses files that the commands which read them would refuse.
  func requireUsable() throws { _ = try load() }

  private func load() throws -> [ProfileStore.Configuration] {
    // Without a home directory there is no file.
    let found = try (try? store())?.defaults() ?? []
    for document in found { try Self.check(document) }
    documents.withLock { $0 = found }
    return found
  }

  private static let everyCommand = "*"

  /// The settings that a value of a file makes; refuses one that the option cannot have.
  @discardableResult
  static func settings(
    _ value: JSON, _ option: OptionDoc, _ path: String, _ command: String
  ) throws -> [Setting] {
    let settings: [Setting]? =
      if option.valueName == nil {
        switch value {
        case .bool, .number: option.settings(ofSwitch: value.serialized())
        default: nil
        }
      } else if option.repetition == .append, let texts = value.strings {
        texts.map(Setting.text)
      } else if let text = value.string {
        [.text(text)]
      } else if case .number = value {
        [.text(value.serialized())]
      } else {
        nil
      }
    if let settings { return settings }
    let expected =
      option.valueName == nil
      ? "true or false"
      : option.repetition == .append ? "a text or an array of texts" : "a text or a number"
    throw failure(
      path, command, option.long, "it is \(value.kind); expected \(expected)", near: nil)
  }

  /// Refuses what no command and no option is, so that a typing error is not ignored.
  private static func check(_ document: ProfileStore.Configuration) throws {
    for (command, value) in document.members.sorted {
      let options = try options(of: command, document.path)
      guard let members = value.object else {
        throw failure(document.path, command, nil, "it is \(value.kind), not an object", near: nil)
      }
      for name in members.sorted.map(\.key) {
        _ = try option(name, of: command, options, document.path)
      }
    }
  }

  /// The option that a file has a default of; refuses what is none.
  static func option(_ name: String, of command: String, _ path: String) throws -> OptionDoc {
    try option(name, of: command, try options(of: command, path), path)
  }

  private static func option(
    _ name: String, of command: String, _ options: [OptionDoc], _ path: String
  ) throws -> OptionDoc {
    guard let option = options.first(where: { $0.long == name }) else {
      throw failure(
        path, command, name, "there is no such option",
        near: Suggestion.nearest(to: name, among: options.map(\.long)))
    }
    guard name != "profile" else {
      throw failure(path, command, name, "this option has no default", near: nil)
    }
    return option
  }

  private static func options(of command: String, _ path: String) throws -> [OptionDoc] {
    let catalog = commandTable.catalog
    guard let options = catalog.options(of: command) else {
      throw failure(
        path, command, nil, "there is no such command",
        near: Suggestion.nearest(to: command, among: catalog.commandNames))
    }
    return options
  }

  private static func failure(
    _ path: String, _ command: String, _ option: String?, _ cause: String, near: String?
  ) -> Failure {
    let key = ["defaults", command, option].compactMap { $0 }.joined(separator: ".")
    return Failure(
      .invalidConfiguration, "could not use '\(key)' of '\(path)': \(cause)",
      hints: near.map { ["did you mean '\($0)'?"] } ?? [])
  }
}

extension OptionDoc {
  /// The settings of a switch for a word; `nil` for one that is neither true nor false.
  fileprivate func settings(ofSwitch text: String) -> [Setting]? {
    switch text {
    case "true", "1": return [.on]
    case "false", "0": return isNegatable ? [.off] : []
    default:
      guard repetition == .count, let count = Int(text), (2...9).contains(count) else { return nil }
      return Array(repeating: .on, count: count)
    }
  }
}

extension CommandCatalog {
  /// The options that a member of `defaults` may have; `nil` for what is no command.
  fileprivate func options(of command: String) -> [OptionDoc]? {
    if command == "*" { return globals }
    let path = command.split(separator: " ").map(String.init)
    guard let name = path.first, let entry = entry(name), !entry.page.isHidden else { return nil }
    let doc = path.count == 1 ? entry.command : entry.visibleSubcommands.first { $0.path == path }
    return doc.map { $0.options + globals }
  }

  fileprivate var commandNames: [String] {
    visibleEntries.flatMap { entry in
      (entry.command == nil ? [] : [entry.page.name])
        + entry.visibleSubcommands.map { $0.path.joined(separator: " ") }
    }
  }
}
