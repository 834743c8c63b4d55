import OpenSSL
import Synchronization

/// The seals of a profile's users; the passcode of each is asked for once in a process.
final class ProfileSeals: Sendable {
  private let environment: SessionEnvironment
  private let entry: (any PasscodeEntry)?
  private let cost: ScryptCost?
  private let erasure: @Sendable (SessionEnvironment) -> any SealErasing
  private let seals = Mutex<[UserID: SlotSeal]>([:])

  /// Makes them; nothing is read yet.
  ///
  /// - Parameters:
  ///   - environment: the profile.
  ///   - entry: who is asked for a passcode.
  ///   - cost: what a guess of a new passcode costs; `nil` measures this machine.
  ///   - erasure: erases what is sealed of the user of an environment.
  init(
    _ environment: SessionEnvironment, entry: (any PasscodeEntry)?, cost: ScryptCost?,
    erasure: @escaping @Sendable (SessionEnvironment) -> any SealErasing
  ) {
    self.environment = environment
    self.entry = entry
    self.cost = cost
    self.erasure = erasure
  }

  /// The seal of the profile: that of its first user.
  var ofProfile: SlotSeal { self[.standard] }

  subscript(user: UserID) -> SlotSeal {
    seals.withLock { seals in
      if let seal = seals[user] { return seal }
      let environment = environment.of(user)
      let seal = SlotSeal(environment, entry: entry, cost: cost, erasure: erasure(environment))
      seals[user] = seal
      return seal
    }
  }
}

/// Erases what is sealed, after too many wrong passcodes.
protocol SealErasing: Sendable {
  /// Erases what a seal has sealed; not under a lock.
  func erase(_ sealed: SealDocument) async throws(SDKError)
}
