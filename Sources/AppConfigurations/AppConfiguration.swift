import JSON
import POSIX
public import Pinning
import Primitives
import PropertyLists
public import SDKCore

/// The configuration of an app, as settings of a profile.
public struct AppConfiguration: Sendable {
  /// Whose configuration it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// The SDK of Onegini, OneWelcome and Thales.
    case onegini
    /// SAP's certificate discovery.
    case sap
    /// The OAuth library of Sequencing.com.
    case sequencing
    /// The settings of a profile by their own names.
    case settings
  }

  /// Whose configuration it is.
  public let kind: Kind
  /// Keys and values as they are typed, in the order in which they are set.
  public internal(set) var settings: [(key: String, value: String)] = []
  /// The pins of its hosts.
  public internal(set) var pinSets: [PinSet] = []
  /// What the configuration says and no setting has, a line each.
  public internal(set) var notes: [String] = []
  /// The secret of the client; it is never a setting.
  public internal(set) var clientSecret: String?
  /// The name and the version with which the app registers itself.
  public internal(set) var software: (id: String, version: String?)?
  /// The configuration whose login is a profile of its own.
  public internal(set) var certificateDiscovery: SAPConfiguration?
  /// Settings of the provider, for a profile that has none.
  public internal(set) var provider: ProfilePreset?

  init(_ kind: Kind) { self.kind = kind }

  /// Reads a configuration: JSON, or an XML property list; settings by their own names are those of the table.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for what is not one.
  public init(reading bytes: [UInt8], settings: SettingTable = .core) throws(SDKError) {
    guard !bytes.starts(with: "PK\u{3}\u{4}".utf8) else {
      throw Self.failure("it is a ZIP archive; unpack it, and read its folder")
    }
    try self.init(ConfigurationFolder(config: bytes), settings)
  }

  /// Reads the configuration in a folder: `config.json`, and certificates in `certificates`.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for what is not one.
  public init(folder path: String, settings: SettingTable = .core) throws(SDKError) {
    let files = try Self.reading { () throws(DocumentError) in
      try ConfigurationFolder.files(in: path)
    }
    try self.init(try ConfigurationFolder(files), settings)
  }

  /// The settings and pins of an export, for a profile that exists.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for a setting that is not in the table, or whose value cannot be used.
  public init(_ export: ProfileExport, settings table: SettingTable = .core) throws(SDKError) {
    self.init(.settings)
    settings = try PlainSettings.read(export.settings, table)
    pinSets = try export.pinSets()
  }

  private init(_ folder: ConfigurationFolder, _ table: SettingTable) throws(SDKError) {
    let members = try Self.members(folder.config)
    let kind = Self.kind(of: members)
    guard kind == .onegini || !folder.isComplete else {
      throw Self.failure("its config.json is not that of a token server")
    }
    switch kind {
    case .onegini: self = try OneginiConfiguration(members, folder).settings
    case .sap:
      let configuration = try SAPConfiguration(members, table)
      self.init(.sap)
      settings = configuration.settings
      pinSets = configuration.pinSets
      certificateDiscovery = configuration
    case .sequencing: self = try SequencingConfiguration(members).settings
    case .settings:
      self.init(.settings)
      settings = try PlainSettings.read(members, table)
    }
  }

  /// Whose configuration a document is, whether or not it can be used; `nil` if it cannot be read.
  public static func kind(of bytes: [UInt8]) -> Kind? { (try? members(bytes)).map { kind(of: $0) } }

  private static func kind(of members: JSONObject) -> Kind {
    if OneginiConfiguration.isMeant(by: members) { return .onegini }
    if SAPConfiguration.isMeant(by: members) { return .sap }
    return SequencingConfiguration.isMeant(by: members) ? .sequencing : .settings
  }

  /// Whether a path names a folder, whose configuration ``init(folder:)`` reads.
  public static func isFolder(_ path: String) -> Bool {
    (try? FileStatus.of(path))?.kind == .directory
  }

  /// The settings for a profile: those of the provider too, if it has none.
  public func settings(for profile: Profile) -> [(key: String, value: String)] {
    (profile.issuer == nil ? provider?.settings ?? [] : []) + settings
  }

  /// What a profile becomes.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if a value cannot be used.
  public func applied(to profile: Profile) throws(SDKError) -> Profile {
    var changed = profile
    for (key, text) in settings(for: profile) {
      try changed.set(key, to: try changed.settings.named(key)?.value(from: text))
    }
    try changed.check()
    return changed
  }

  /// A setting for a value of the configuration, which the profile must accept.
  static func setting(
    _ key: String, to value: JSON, named name: String, in table: SettingTable = .core
  ) throws(SDKError) -> (key: String, value: String) {
    guard let text = value.string, !text.isEmpty else { throw failure("\(name) is not a text") }
    return try setting(key, to: text, named: name, in: table)
  }

  /// A setting for what the configuration says; what is wrong with it is told with its name there.
  static func setting(
    _ key: String, to text: String, named name: String, in table: SettingTable = .core
  ) throws(SDKError) -> (key: String, value: String) {
    do throws(SDKError) {
      _ = try table.named(key)?.value(from: text)
    } catch {
      throw failure("\(name): \(error.message)")
    }
    return (key, text)
  }

  static func failure(
    _ cause: String, subject: String? = nil
  ) -> SDKError {
    SDKError(.invalidRequest, "could not read the configuration: \(cause)", subject: subject)
  }

  private static func reading<Value>(
    _ body: () throws(DocumentError) -> Value
  ) throws(SDKError) -> Value {
    do throws(DocumentError) { return try body() } catch {
      throw failure(error.cause)
    }
  }

  private static func members(_ bytes: [UInt8]) throws(SDKError) -> JSONObject {
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") || bytes.starts(with: "bplist".utf8) {
      return try reading { () throws(DocumentError) in
        guard let members = JSON(try PropertyList(bytes)).object else {
          throw DocumentError(cause: "it is not a dictionary")
        }
        return members
      }
    }
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes, maximumDepth: 32) } catch {
      throw failure("it is not JSON: \(error)")
    }
    guard let members = document.object else { throw failure("it is \(document.kind)") }
    return members
  }
}

extension JSON {
  /// The same values; kinds that JSON does not have become null.
  fileprivate init(_ list: PropertyList) {
    self =
      switch list {
      case .dictionary(let members):
        .object(JSONObject(members.map { ($0.key, JSON($0.value)) }))
      case .array(let values): .array(values.map { JSON($0) })
      case .string(let text): .string(text)
      case .boolean(let value): .bool(value)
      case .integer(let number): .int(number)
      case .other: .null
      }
  }
}
