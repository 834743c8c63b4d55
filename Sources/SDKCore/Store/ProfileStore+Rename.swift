import POSIX

/// A profile has two directories, configuration and state, and no system call renames both.
///
/// So that a kill at any instant leaves the whole profile under one of the two names:
///
/// 1. `state/NEW` is made a link to `state/OLD`, which keeps a mark (`.renamed`) with the new name.
/// 2. The directory of the configuration is renamed. From here on the profile has the new name, and
///    finds its state through the link.
/// 3. Link and directory of the state are exchanged, and the link is removed.
///
/// Whoever removes or renames such a profile, or takes its old name, does step 3 first.
extension ProfileStore {
  /// Renames a profile, with its registration, credentials and pins.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/invalidConfiguration`` if the new name
  ///   exists; ``SDKError/Code/busy`` if another process uses the profile.
  public func rename(_ old: ProfileName, to new: ProfileName) async throws(SDKError) {
    guard contains(old) else { throw noProfile(old) }
    try requireOwn(old)
    _ = try profile(old)
    try requireAbsent(new)
    try await holdingAll(of: old) { () async throws(SDKError) in
      try requireOwn(old)
      try finishRenaming(to: old)
      try exclusively { () throws(SDKError) in
        try makeRoom(for: new)
        try attempt("could not rename the profile '\(old)'", as: .store) {
          try moveFiles(of: old, to: new)
        }
        try replaceCurrent(old, by: new)
      }
    }
  }

  private func moveFiles(of old: ProfileName, to new: ProfileName) throws(SystemError) {
    let (state, newState) = (location.state(of: old), location.state(of: new))
    do throws(SystemError) {
      // A rename that was killed before step 2 left its mark.
      try Directory.remove(tree: mark(of: old))
      try Directory.link(mark(of: old), to: new.description)
      try Directory.link(newState, to: old.description)
      try Directory.rename(location.configuration(of: old), to: location.configuration(of: new))
    } catch {
      if Directory.linkTarget(newState) != nil { try? Directory.remove(tree: newState) }
      try? Directory.remove(tree: mark(of: old))
      throw error
    }
    try settle(state, at: newState)
  }

  /// Step 3.
  private func settle(_ state: String, at newState: String) throws(SystemError) {
    do throws(SystemError) {
      try Directory.exchange(state, newState)
      try Directory.remove(tree: state)
    } catch {
      guard error.isUnsupportedExchange else { throw error }
      // The file system cannot exchange: a kill here leaves a profile that asks for a login.
      try Directory.remove(tree: newState)
      try Directory.rename(state, to: newState)
    }
    try Directory.remove(tree: newState + "/.renamed")
  }

  private func mark(of name: ProfileName) -> String { location.state(of: name) + "/.renamed" }

  /// Removes what a former profile of that name left behind: none of it is the new one's.
  ///
  /// For a caller of ``exclusively(_:)``, so that no profile of that name comes meanwhile.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the profile exists; ``SDKError/Code/busy`` if
  ///   another process renames that profile now.
  func makeRoom(for name: ProfileName) throws(SDKError) {
    try requireAbsent(name)
    if let new = newName(of: name), isOwn(new) {
      // The locks of the former name are held until step 3 is done.
      let path = location.lock(.derived, of: name)
      try? Directory.create(path.directory, mode: 0o700)
      guard let lock = try? FileLock.acquireNow(path.text) else {
        throw SDKError(.busy, "could not use the name '\(name)': its profile is being renamed")
      }
      try finishRenaming(to: new)
      lock.release()
    }
    try attempt("could not create the profile '\(name)'", as: .store) {
      try Directory.remove(tree: location.state(of: name))
      try Directory.remove(tree: location.configuration(of: name))
    }
  }

  /// Does step 3 for a profile if it is missing; needs the locks of the profile.
  func finishRenaming(to name: ProfileName) throws(SDKError) {
    let state = location.state(of: name)
    guard let former = Directory.linkTarget(state),
      let old = try? ProfileName(String(former.split(separator: "/").last ?? "")),
      newName(of: old) == name
    else { return }
    try attempt("could not finish the renaming of '\(old)'", as: .store) {
      try settle(former, at: state)
    }
  }

  /// The name that a profile gets by a renaming that is not finished.
  private func newName(of old: ProfileName) -> ProfileName? {
    let state = location.state(of: old)
    guard let target = Directory.linkTarget(mark(of: old)),
      let new = try? ProfileName(String(target.dropFirst(state.utf8.count + 1))),
      Directory.linkTarget(location.state(of: new)) == state
    else { return nil }
    return new
  }
}
