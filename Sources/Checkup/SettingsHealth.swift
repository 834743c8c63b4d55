import Pinning
import Primitives
import SDKCore

/// Checks what is stored of a profile without opening it: settings, pins, users, the place of its secrets.
struct SettingsHealth: Sendable {
  let store: ProfileStore
  let name: ProfileName
  let now: Timestamp
  /// What ends before this time ends soon.
  let soon: Timestamp

  func findings() async -> [HealthFinding] {
    let pins = pinFindings()
    return settingFindings(pins) + pins + (await userFindings()) + placeFindings()
  }

  private func settingFindings(_ pins: [HealthFinding]) -> [HealthFinding] {
    let known = try? PinStore(store.location, name).load()
    do throws(SDKError) {
      // What the checks of the documents and of the pins report too is reported there; the latter names
      // hosts only if none is pinned. Of pins that cannot be read nothing is known.
      let isReported = known == nil || pins.contains { $0.remedy != nil }
      let reported: [ProfileProblem.Kind] =
        [.malformed, .notEnforced] + (isReported ? [.unpinned] : [])
      let linter = ProfileLinter(pins: known ?? PinSets(), settings: store.settings)
      let problems = linter.problems(in: try store.bytes(of: name)).filter {
        !reported.contains($0.kind)
      }
      return problems.isEmpty
        ? [HealthFinding(.settings, .ok, "the settings can be used")]
        : problems.map { problem in
          HealthFinding(
            .settings, .init(problem.severity), problem.text,
            about: problem.path.isEmpty ? nil : problem.path,
            remedy: problem.kind == .unknownKey ? .unsetProfile(key: problem.path) : nil)
        }
    } catch {
      return [HealthFinding(.settings, error)]
    }
  }

  private func pinFindings() -> [HealthFinding] {
    do throws(SDKError) {
      let profile = try? store.profile(name)
      let pins = PinStore(store.location, name)
      _ = try pins.document()
      let problems = try pins.lint(
        policy: profile?.pinPolicy ?? .enforce,
        hosts: profile?.pinEndpoints.map(\.name) ?? [], at: now, until: soon)
      return problems.isEmpty
        ? [HealthFinding(.pins, .ok, "the pins can be used")]
        : problems.map { problem in
          HealthFinding(
            // A missing backup key stops nothing yet.
            .pins, problem.kind == .noBackup ? .warning : .init(problem.severity), problem.text,
            about: problem.place,
            remedy: problem.kind == .unpinned ? .pinHost(problem.place) : nil)
        }
    } catch {
      return [HealthFinding(.pins, error)]
    }
  }

  /// Files of others and unknown ones are what the check of the store reports.
  private func userFindings() async -> [HealthFinding] {
    do throws(SDKError) {
      return try await store.damagedUserDocuments(of: name).map {
        HealthFinding(.users, $0.error, about: $0.path)
      }
    } catch {
      return [HealthFinding(.users, error)]
    }
  }

  private func placeFindings() -> [HealthFinding] {
    do throws(SDKError) {
      let status = try store.place(of: name)
      guard let other = status.unfinished else {
        return [HealthFinding(.place, .ok, "the secrets are kept there", about: "\(status.place)")]
      }
      return [
        HealthFinding(
          .place, .warning, "a move did not end; '\(other)' may hold some of the secrets too",
          about: "\(status.place)")
      ]
    } catch {
      return [HealthFinding(.place, error)]
    }
  }
}
