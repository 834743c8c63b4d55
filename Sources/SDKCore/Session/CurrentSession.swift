import Synchronization

/// A session of a profile whose settings and pins are those that are stored: for a program that runs for long.
public final class CurrentSession: Sendable {
  private let session: Mutex<ProfileSession>

  /// Begins with an opened session; others are of the same user.
  public init(_ session: ProfileSession) { self.session = Mutex(session) }

  /// The session: another one if settings or pins have been replaced, with connections of its own.
  ///
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read any more.
  public func get() throws(SDKError) -> ProfileSession {
    try session.withLock { session throws(SDKError) in
      if try session.isOutdated() { session = try session.reopened() }
      return session
    }
  }
}

extension ProfileSession {
  /// Whether the stored settings or pins are not those of this session.
  fileprivate func isOutdated() throws(SDKError) -> Bool {
    let settings = try opening.store.profile(opening.name)
    let stored = try PinStore(opening.store.location, opening.name).load()
    return settings != profile || stored != pins
  }

  fileprivate func reopened() throws(SDKError) -> ProfileSession {
    try ProfileSession(opening.again(as: userID), sharing: openedKeys)
  }
}
