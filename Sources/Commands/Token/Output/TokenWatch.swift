import Arguments
import POSIX
import Primitives
import SDKCore

/// Keeps a valid token in a file.
///
/// The time limit of the command is that of one renewal.
struct TokenWatch {
  private let context: Context
  private let file: TokenFile
  private let obtain: @Sendable (Context, TokenDemand) async throws -> WrittenToken
  private let changed: @Sendable () async -> Void
  private var schedule: RenewalSchedule
  /// Whether the first token is requested even if the stored one is valid.
  private let forceNew: Bool
  private var written: [String]?
  private var expires: Timestamp?
  /// When the token is to be renewed; `nil` if it does not expire.
  private var renewal: Timestamp?

  /// Makes a watch, which does nothing yet.
  ///
  /// - Parameters:
  ///   - context: the command.
  ///   - file: where the token is written.
  ///   - demand: for how long it must be valid, and whether the first one is a new one.
  ///   - obtain: returns a token that meets the demand.
  ///   - changed: called after another token was written.
  init(
    _ context: Context, _ file: TokenFile, _ demand: TokenDemand,
    obtain: @escaping @Sendable (Context, TokenDemand) async throws -> WrittenToken,
    changed: @escaping @Sendable () async -> Void = {}
  ) {
    self.context = context
    self.file = file
    self.obtain = obtain
    self.changed = changed
    forceNew = demand.forceNew
    schedule = RenewalSchedule(minimumLifetime: demand.minimumLifetime)
  }

  mutating func begin() async throws { try await update() }

  /// Renews the token until the task is cancelled; throws if only a person can renew it.
  ///
  /// Failures that pass are reported, and followed by another attempt.
  mutating func run() async throws {
    while !Task.isCancelled {
      do {
        if written != nil, schedule.failures == 0 { try await step(to: renewal) }
        try await update()
      } catch {
        if Task.isCancelled { return }
        try await wait(after: context.failure(error))
      }
    }
  }

  private mutating func wait(after failure: Failure) async throws {
    guard failure.mayPass || (failure.code == .outputFailed && written != nil) else {
      throw failure
    }
    let now = context.now()
    let next = max(schedule.renewal(afterFailureAt: now), now + (failure.pause ?? 0))
    renewal = next
    context.warning(
      failure.message, hint: "trying again in \(next.seconds(since: context.now())) s")
    while context.now() < next, !Task.isCancelled { try? await step(to: next) }
  }

  /// Waits for a minute at most: a machine that was suspended, or whose clock was set, finds out soon.
  private func step(to time: Timestamp?) async throws {
    let left = time.map { $0.seconds(since: context.now()) } ?? Self.step
    if left > 0 { try await context.ports.pause(.seconds(min(left, Self.step))) }
  }

  /// Writes the token, if it is another one: renewed, or stored by another process.
  private mutating func update() async throws {
    let now = context.now()
    let isDue = renewal.map { $0 <= now } ?? false
    var demand = TokenDemand(minimumLifetime: schedule.minimumLifetime)
    if written == nil { demand.forceNew = forceNew }
    if isDue, let expires {
      demand.minimumLifetime = max(demand.minimumLifetime, expires.seconds(since: now) + 1)
    }
    let content = try await obtain(context.renewing(), demand)
    let isNew = content.lines != written
    if isNew { try file.write(content.lines) }
    written = content.lines
    expires = content.expires
    if isNew || isDue { renewal = schedule.renewal(of: content.expires, at: context.now()) }
    if isNew { await changed() }
  }

  private static let step: Int64 = 60
}

extension Failure {
  /// Whether a program that waits goes on: the login page of a network cannot show the server's certificate.
  fileprivate var mayPass: Bool { isRetryable || exit == .tls }
}

/// A file with a token, which is replaced as a whole.
struct TokenFile: Sendable {
  let path: String
  var mode: UInt32 = 0o600

  /// Writes the lines; the token alone has no line break, which not every reader removes.
  func write(_ lines: [String]) throws(Failure) {
    let text = lines.count == 1 ? lines[0] : lines.joined(separator: "\n") + "\n"
    try Failure.writing { () throws(SystemError) in
      try AtomicFile.write(Array(text.utf8), to: path, .own(mode: mode))
    }
  }

  /// A mode in octal digits, in which only the owner may write.
  static func mode(_ text: String) throws(ValueError) -> UInt32 {
    guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
      let mode = UInt32(text, radix: 8),
      mode & ~0o644 == 0, mode & 0o400 != 0
    else {
      throw ValueError("expected a mode such as 0600, 0640 or 0444: only the owner may write")
    }
    return mode
  }
}

struct WrittenToken: Sendable, Hashable {
  let lines: [String]
  /// When the token expires; `nil` if it does not, or if that is not known.
  let expires: Timestamp?
}
