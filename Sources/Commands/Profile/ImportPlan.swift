import AppConfigurations
import HTTP
import JSON
import OAuth
import Pinning
import Primitives
import SDKCore

/// What the configuration of an app does to a profile: shown, agreed to and done.
struct ImportPlan {
  private let configuration: AppConfiguration
  private let arguments: ProfileImport.Arguments
  private let context: Context
  private let name: ProfileName
  private let isNew: Bool
  private let old: Profile
  private let changed: Profile
  /// The profile of another login that the configuration needs.
  private let login: ProfileName?

  init(
    _ configuration: AppConfiguration, _ arguments: ProfileImport.Arguments, _ context: Context
  ) throws {
    self.configuration = configuration
    self.arguments = arguments
    isNew = arguments.new != nil
    if let new = arguments.new { name = new } else { name = try context.profileName() }
    self.context = context.with(profile: name.description)
    old = try isNew ? Profile(name: name, settings: .ofProgram) : context.store().profile(name)
    login =
      try configuration.certificateDiscovery == nil ? nil : SAPConfiguration.loginName(of: old)
    do throws(SDKError) {
      changed = try Self.applied(configuration, login, to: old)
    } catch {
      throw Failure(error, profile: isNew ? nil : name)
    }
  }

  /// Does all of it, with what is wrong with the settings, if that is known already.
  func run(_ problems: SettingProblems?) async throws {
    let provider = old.issuer == nil ? configuration.provider : nil
    let usual = Set(provider?.settings.map(\.key) ?? [])
    let changes = SettingChanges(
      old.changes(to: changed, usual: usual.union(try ownServiceKeys())), login: try loginChanges())
    let pins = try pinChanges()
    if arguments.dryRun {
      return try (problems ?? SettingProblems(of: configuration)).print(
        changes, pins, of: name, isNew: isNew, notes: configuration.notes, context)
    }
    try await changes.agree(
      with: pins,
      isNew
        ? "Create the profile '\(name)' with this?" : "Set this in the profile '\(name)'?",
      arguments.consent, isAgreed: arguments.yes, refuses: arguments.yes, in: context)
    try await perform(pins.differences)
    report(changes, pins)
  }

  /// What becomes of the profile of the login; `nil` without one.
  private func loginChanges() throws -> (name: ProfileName, changes: [SettingChange])? {
    guard let discovery = configuration.certificateDiscovery, let login else { return nil }
    let store = try context.store()
    let stored = store.contains(login) ? try store.profile(login) : nil
    let former = try stored ?? Profile(name: login, settings: .ofProgram)
    let new = try discovery.loginProfile(of: old, stored: stored)
    // A new one trusts what this profile trusts.
    let inherited = stored == nil ? SAPConfiguration.inheritedKeys : []
    return (login, former.changes(to: new, usual: inherited))
  }

  /// The settings of a certificate service that gets the tokens of no login but the one that comes with it.
  private func ownServiceKeys() throws -> [String] {
    guard let login, !(try context.store().contains(login)) else { return [] }
    return (configuration.settings.map(\.key) + ["identity.profile"]).filter {
      $0.hasPrefix("identity.") && old[$0] == nil
    }
  }

  private static func applied(
    _ configuration: AppConfiguration, _ login: ProfileName?, to profile: Profile
  ) throws(SDKError) -> Profile {
    var changed = try configuration.applied(to: profile)
    if let login { try changed.set("identity.profile", to: .string(login.description)) }
    return changed
  }

  private func pinChanges() throws -> PinChanges {
    let pins = isNew ? PinSets() : try PinStore(context.store().location, name).load()
    let sets = configuration.pinSets.map { $0.with(pattern: pins.meant($0.pattern)) }
    let origin = PinOrigin(.import, "\(configuration.kind.rawValue) \(arguments.file)")
    return PinChanges(
      differences: pins.differences(
        to: sets, replaces: false, origin: origin, at: context.now()),
      policy: changed.pinPolicy)
  }

  @inline(never)
  private func perform(_ differences: [PinDifference]) async throws {
    if isNew { try await context.store().add(changed) }
    let session = try context.session()
    try await makeLogin(session)
    if !isNew {
      let (configuration, login) = (configuration, login)
      try await context.changeProfile { (profile) throws(SDKError) in
        profile = try Self.applied(configuration, login, to: profile)
      }
    }
    try await session.pinning.apply(differences)
    try await useClient()
  }

  /// Registers the client whose secret the configuration has, unless another one is registered.
  @inline(never)
  private func useClient() async throws {
    guard let secret = configuration.clientSecret, let clientID = changed.clientID else { return }
    let session = try context.session()
    if let existing = try await session.registration.usable(), existing.isKept {
      return context.note(
        "the client secret was not stored: '\(name)' is registered as \(existing.clientID)")
    }
    let registration = try await session.registration.use(
      existing: ExistingClient(
        clientID: clientID, secret: secret, method: .basic, redirectURI: changed.redirectURI))
    RegistrationReport(registration: registration, profile: name).note(context)
  }

  private func report(_ changes: SettingChanges, _ pins: PinChanges) {
    var notes = configuration.notes
    if let uri = configuration.certificateDiscovery?.redirectURI {
      notes.append("the app's login leads back to \(uri)")
    }
    // The report of a registration has said it.
    if configuration.clientSecret == nil, let uri = changed.redirectURI {
      notes += [RedirectURI(uri)?.caution].compactMap { $0 }
    }
    if let software = configuration.software {
      let version = software.version.map { ["--software-version", $0] } ?? []
      let options = ShellWord.line(["--software-id", software.id] + version)
      notes.append("the app registers with: \(ShellWord.sdkctl(of: name, "register")) \(options)")
    }
    if isNew { context.note("created the profile '\(name)'") }
    for note in notes { context.note(note) }
    context.report(
      ImportReport(profile: name, isNew: isNew, settings: changes, pins: pins, notes: notes),
      ImportReport.rows)
  }

  /// Makes or changes the profile of the login, which gets the pins that this one has for its hosts.
  @inline(never)
  private func makeLogin(_ session: ProfileSession) async throws {
    guard let configuration = configuration.certificateDiscovery, let login else { return }
    let store = try context.store()
    let other = context.with(profile: login.description)
    if store.contains(login) {
      try await other.changeProfile { (profile) throws(SDKError) in
        profile = try configuration.loginProfile(of: session.profile, stored: profile)
      }
    } else {
      try await store.add(try configuration.loginProfile(of: session.profile, stored: nil))
    }
    let opened = try other.session()
    let sets = ["authorization", "token"].compactMap { endpoint in
      opened.profile["endpoints.\(endpoint)"]?.string.flatMap { try? HTTPURL($0) }
        .flatMap { session.pins.set(for: $0.host, port: $0.port) }
    }
    try await opened.pinning.change { pins in
      sets.reduce(pins) { $0[$1.pattern] == nil ? $0.adding($1) : $0 }
    }
  }
}
