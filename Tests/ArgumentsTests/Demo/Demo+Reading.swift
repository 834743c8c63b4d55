import Arguments

extension Demo {
  /// What the command noted when it ran, or the outcome when none did.
  static func told(_ words: [String]) async -> String {
    switch table.read(words).outcome {
    case .run(let invocation):
      let diary = Diary()
      do {
        try await invocation.run(diary)
      } catch {
        return "failed"
      }
      return await diary.lines.joined(separator: "\n")
    case .usage(let error): return "usage: \(error.message)"
    case .help(let path, let length): return "help \(path) \(length)"
    case .version: return "version"
    case .external(let external): return "external \(external.name)"
    case .failed(let error): return "failed: \(error)"
    }
  }

  /// The usage error of a command line, or nil.
  static func usageError(_ words: [String]) -> UsageError? {
    guard case .usage(let error) = table.read(words).outcome else { return nil }
    return error
  }

  /// The arguments of `fetch` after reading, with the path "/x" supplied.
  static func fetched(_ words: [String]) async -> String {
    await told(["fetch"] + words + ["/x"])
  }

  /// What may follow the words, with the values that the demo knows.
  static func offer(_ words: [String]) -> Offer {
    var offer = table.catalog.offer(words)
    if offer.source == .values("profiles") { offer.add(["work", "home", "work-eu"]) }
    return offer
  }

  static func fetch(_ change: (inout Fetch.Arguments) -> Void) -> String {
    var arguments = Fetch.Arguments()
    arguments.path = "/x"
    change(&arguments)
    return "fetch \(arguments)"
  }
}
