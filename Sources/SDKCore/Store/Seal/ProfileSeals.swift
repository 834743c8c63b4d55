import OpenSSL
import Synchronization

/// The seals of a profile's users; the passcode of each is asked for once in a process.
final class ProfileSeals: Sendable {
  private let environment: SessionEnvironment
  private let entry: (any PasscodeEntry)?
  private let cost: ScryptCost?
  private let erase: SlotSeal.Erasure
  private let seals = Mutex<[UserID: SlotSeal]>([:])

  init(
    _ environment: SessionEnvironment, entry: (any PasscodeEntry)?, cost: ScryptCost?,
    erasing erase: @escaping SlotSeal.Erasure
  ) {
    self.environment = environment
    self.entry = entry
    self.cost = cost
    self.erase = erase
  }

  /// The seal of the profile: that of its first user.
  var ofProfile: SlotSeal { self[.standard] }

  subscript(user: UserID) -> SlotSeal {
    seals.withLock { seals in
      if let seal = seals[user] { return seal }
      let seal = SlotSeal(environment.of(user), entry: entry, cost: cost, erasing: erase)
      seals[user] = seal
      return seal
    }
  }
}
