import Arguments
import SDKCore

extension Context {
  /// Changes the selected profile and writes it, if the change is valid; returns it.
  @discardableResult
  func changeProfile(
    _ change: (inout Profile) throws(SDKError) -> Void
  ) async throws -> Profile {
    let name = try profileName()
    let store = try store()
    do {
      try await store.change(name, change)
      return try store.profile(name)
    } catch {
      var failure = Failure(error, profile: name)
      if let subject = error.subject, store.settings.named(subject) == nil, failure.hints.isEmpty {
        let near = Suggestion.nearest(to: subject, among: store.settings.keys.map(\.name))
        failure.hints = [
          near.map { "did you mean '\($0)'? see 'sdkctl help profiles'" } ?? "sdkctl help profiles"
        ]
      }
      throw failure
    }
  }
}
