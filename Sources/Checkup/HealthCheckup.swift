package import POSIX
package import Primitives
public import SDKCore

/// Checks an installation: the machine, the store, and profiles with their servers.
///
/// Without ``isOnline`` it makes no connection. It changes nothing, but for repairs that are wanted.
public struct HealthCheckup: Sendable {
  /// Returns findings of a profile, with or without asking servers, and whether the secrets of the profile can be read.
  package typealias Others =
    @Sendable (ProfileName, _ isOnline: Bool) async -> (
      findings: [Finding], isReadable: Bool
    )

  private let store: ProfileStore
  private let now: Timestamp
  private let open: @Sendable (ProfileName) throws -> ProfileSession
  private let machine: MachineHealth
  /// The profiles that are looked at; `nil` for all.
  public var profiles: [ProfileName]?
  /// What other modules find in a profile, and whether its secrets can be read; what reads them waits long for a
  /// cluster that cannot be used.
  package var others: Others = { _, _ in ([], true) }
  /// Whether servers are asked.
  public var isOnline = false
  /// Whether what is safe to mend is mended.
  public var repairs = false

  /// Checks a store and its profiles, which are opened with these options.
  public init(_ store: ProfileStore, options: SessionOptions = SessionOptions()) {
    self.init(
      store, .current, .curl, options.connections, browser: nil, now: SystemClock.now()
    ) { name in
      var options = options
      options.writesNothing = true
      return try ProfileSession(opening: name, in: store, options: options)
    }
  }

  package init(
    _ store: ProfileStore, _ environment: Environment, _ network: Network,
    _ options: ConnectionOptions, browser: BrowserChoice?, now: Timestamp,
    open: @escaping @Sendable (ProfileName) throws -> ProfileSession
  ) {
    self.store = store
    self.now = now
    self.open = open
    machine = MachineHealth(
      network: network, environment: environment, authorities: AuthorityHealth(options, at: now),
      browser: browser, now: now)
  }

  /// The results: of the machine, of the store, then of each profile.
  public func findings() async -> [Finding] {
    var findings = machine.findings()
    let names: [ProfileName]
    do throws(SDKError) { names = if let profiles { profiles } else { try store.names() } } catch {
      return findings + [Finding(.permissions, error)]
    }
    let found = StoreHealth(
      location: store.location, profiles: profiles.map { Set($0.map(\.description)) }, now: now
    ).findings()
    // First, so that a profile can be opened that was not safe.
    findings += repairs ? found.map { $0.repaired() } : found
    // Of a file that cannot be read once is enough, and it has been reported.
    for name in names {
      findings += (await self.findings(of: name)).without(subjectsOfErrorsIn: found)
    }
    return findings
  }

  private func findings(of name: ProfileName) async -> [Finding] {
    let soon = now + Self.soon
    var findings = await SettingsHealth(store: store, name: name, now: now, soon: soon).findings()
    do {
      let session = try open(name)
      let (found, isReadable) = await others(name, isOnline)
      findings += found
      findings += await SessionHealth(
        session: session, readsSecrets: isReadable, now: now, soon: soon
      ).findings()
      if isOnline {
        findings += await ServerHealth(session: session, soon: soon).findings()
      }
    } catch let error as SDKError {
      findings.append(Finding(.settings, error))
    } catch {
      findings.append(Finding(.settings, .error, "\(error)"))
    }
    var distinct: [Finding] = []
    for finding in findings where !distinct.contains(finding) { distinct.append(finding) }
    return distinct.map { finding in
      var finding = finding
      finding.profile = name
      return finding
    }
  }

  /// The seconds within which what ends is reported.
  private static let soon: Int64 = 30 * 86_400
}
