import JSON
import POSIX
import Primitives

/// A program that keeps secrets: `docker-credential-NAME`, such as `pass` or `secretservice`.
///
/// It is started for each document, with one word as its argument and input on standard input:
/// * `get`: a URL; it answers with an object with `Username` and `Secret`;
/// * `store`: an object with `ServerURL`, `Username` and `Secret`;
/// * `erase`: a URL.
///
/// A failure is an exit status other than 0, with a text on standard output
/// (github.com/docker/docker-credential-helpers). The secret is the document as a JSON text.
struct HelperPlace: SecretPlace {
  let name: String
  /// The name of the profile in this place.
  let id: String
  let remaining: @Sendable () -> Duration?

  func read(_ path: String) async throws(SDKError) -> JSONObject? {
    let title = title(of: path)
    let action = "could not read '\(title)'"
    guard let output = try await output(of: "get", Array(url(path).utf8), action, remaining())
    else {
      return nil
    }
    guard let secret = (try? JSON(parsing: output))?["Secret"]?.string else {
      throw unusable(action, "answered with no secret")
    }
    // So `docker-credential-pass` says that it has none.
    guard !secret.isEmpty else { return nil }
    let members = try StoreDocument.members(of: Array(secret.utf8), in: title)
    // The version alone is what a proof has left that was killed.
    return members.count > 1 ? members : nil
  }

  func write(_ members: JSONObject, to path: String) async throws(SDKError) {
    let text = JSON.object(StoreDocument.current(members)).serialized()
    let input = JSON.members([
      "ServerURL": .string(url(path)), "Username": .string(Self.user), "Secret": .string(text),
    ]).serialized()
    let action = "could not write '\(title(of: path))'"
    // What a server has just sent is lost if it cannot be stored.
    for _ in 1..<Self.attempts
    where (try? await output(of: "store", Array(input.utf8), action, nil)) != nil {
      return
    }
    _ = try await output(of: "store", Array(input.utf8), action, nil)
  }

  func remove(_ path: String) async throws(SDKError) {
    // Some helpers fail for what they do not have, others do not.
    let action = "could not remove '\(title(of: path))'"
    guard try await read(path) != nil else { return }
    _ = try await output(of: "erase", Array(url(path).utf8), action, nil)
  }

  func proveWritable(_ path: String) async throws(SDKError) -> StagedFile? {
    let members = try await read(path)
    try await write(members ?? [:], to: path)
    // What is not there must not seem to be there, and damaged.
    guard members == nil else { return nil }
    _ = try await output(
      of: "erase", Array(url(path).utf8), "could not write '\(title(of: path))'", nil)
    return nil
  }

  func title(of path: String) -> String { "\(path) in helper:\(name)" }

  private var program: String { "docker-credential-\(name)" }

  private func url(_ path: String) -> String { "https://profiles.invalid/\(id)/\(path)" }

  /// Runs the helper; `nil` if it has nothing of that URL, unless that is what it should store.
  private func output(
    of verb: String, _ input: [UInt8], _ action: String, _ time: Duration?
  ) async throws(SDKError) -> [UInt8]? {
    let environment = Environment.current.forHelpers
    guard let file = Spawn.find(program, in: environment) else {
      throw SDKError(.storeUnavailable, "\(action): there is no program '\(program)' in PATH")
    }
    let result: ProcessOutput
    do {
      result = try await Spawn.run(
        file, [verb], environment: environment, input: input, sharesErrors: true, limit: 16 << 20,
        timeout: min(time ?? Self.limit, Self.limit))
    } catch {
      throw failure(error, action)
    }
    if result.status.isSuccess { return result.output }
    let text = VisibleText.of(
      String(decoding: result.output, as: UTF8.self), .space, limit: 300
    ).trimmingBlanks
    if verb != "store", text.containsText(Self.notFound) { return nil }
    throw SDKError(
      .storeUnavailable,
      "\(action): '\(program) \(verb)' failed" + (text.isEmpty ? "" : ": \(text)"))
  }

  private func failure(_ error: SpawnError, _ action: String) -> SDKError {
    switch error {
    case .system(let error): SDKError(.storeUnavailable, "\(action): '\(program)': \(error)")
    case .outputTooLarge: unusable(action, "printed too much")
    case .timedOut: SDKError(.busy, "\(action): '\(program)' did not answer in time")
    case .cancelled: SDKError(.cancelled, "\(action): cancelled")
    }
  }

  private func unusable(_ action: String, _ cause: String) -> SDKError {
    SDKError(.storeUnavailable, "\(action): '\(program)' \(cause)")
  }

  private static let notFound = "credentials not found"
  /// All entries have the same name of a user, which no lookup depends on.
  private static let user = "profile"
  private static let attempts = 3
  /// A person may have to unlock it.
  private static let limit = Duration.seconds(120)
}
