import Pinning
import Primitives
import SDKCore

/// Checks what is stored of a profile without opening it: settings, pins, users, the place of its secrets.
struct SettingsHealth: Sendable {
  let store: ProfileStore
  let name: ProfileName
  let now: Timestamp
  let soon: Timestamp

  func findings() async -> [Finding] {
    let pins = pinFindings()
    return settingFindings(pins) + pins + (await userFindings()) + placeFindings()
  }

  private func settingFindings(_ pins: [Finding]) -> [Finding] {
    let known = try? PinStore(store.location, name).load()
    do throws(SDKError) {
      // What the checks of the documents and of the pins report too is reported there; the latter names
      // hosts only if none is pinned. Of pins that cannot be read nothing is known.
      let isReported = known == nil || pins.contains { $0.remedy != nil }
      let reported: [Finding.Problem?] =
        [.malformed, .notEnforced] + (isReported ? [.unpinned] : [])
      let linter = ProfileLinter(pins: known ?? PinSets(), settings: store.settings)
      let problems = linter.problems(in: try store.bytes(of: name)).filter {
        !reported.contains($0.problem)
      }
      return problems.isEmpty
        ? [Finding(.settings, .ok, "the settings can be used")] : problems
    } catch {
      return [Finding(.settings, error)]
    }
  }

  private func pinFindings() -> [Finding] {
    do throws(SDKError) {
      let profile = try? store.profile(name)
      let pins = PinStore(store.location, name)
      _ = try pins.document()
      let problems = try pins.lint(
        policy: profile?.pinPolicy ?? .enforce,
        hosts: profile?.pinEndpoints.map(\.name) ?? [], at: now, until: soon)
      guard !problems.isEmpty else { return [Finding(.pins, .ok, "the pins can be used")] }
      return problems.map { problem in
        var problem = problem
        // A missing backup key stops nothing yet.
        if problem.problem == .noBackup { problem.severity = .warning }
        return problem
      }
    } catch {
      return [Finding(.pins, error)]
    }
  }

  /// Files of others and unknown ones are what the check of the store reports.
  private func userFindings() async -> [Finding] {
    do throws(SDKError) {
      return try await store.damagedUserDocuments(of: name).map {
        Finding(.users, $0.error, about: $0.path)
      }
    } catch {
      return [Finding(.users, error)]
    }
  }

  private func placeFindings() -> [Finding] {
    do throws(SDKError) {
      let status = try store.place(of: name)
      guard let other = status.unfinished else {
        return [Finding(.place, .ok, "the secrets are kept there", about: "\(status.place)")]
      }
      return [
        Finding(
          .place, .warning, "a move did not end; '\(other)' may hold some of the secrets too",
          about: "\(status.place)")
      ]
    } catch {
      return [Finding(.place, error)]
    }
  }
}
