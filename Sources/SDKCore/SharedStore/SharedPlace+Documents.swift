import JSON

/// How a document becomes a value of the store, and back.
extension SharedPlace {
  /// A document, decrypted; `nil` if there is none.
  func document(
    _ path: String, in snapshot: SharedSnapshot
  ) throws(SDKError) -> SealedDocument? {
    guard let value = snapshot.value(path) else { return nil }
    let keys = try keys()
    var document = try SealedDocument(
      opening: value.value, as: SharedSnapshot.valueKey(path, prefix), with: keys,
      known: snapshot.known.counters[path] ?? 0,
      notBefore: snapshot.known.oldestKey(path, of: keys))
    try refuseLocalReferences(document.members, path, "read")
    document.members = document.members.map { SlotDocument.moved($0, of: path, by: -store.behind) }
    return document
  }

  /// Refuses what names a program, a file or a device: the machines that share differ in what it means, and who can
  /// write to the cluster must not choose what they run.
  private func refuseLocalReferences(
    _ members: JSONObject?, _ path: String, _ verb: String
  ) throws(SDKError) {
    // Those who join are shown the settings, and agree to them.
    guard let members, path != SecretName.settings,
      let first = LocalReference.all(in: members, at: path).first
    else { return }
    let error =
      "could not \(verb) '\(title(of: path))': '\(first.name)' names something of one machine"
    throw SDKError(verb == "read" ? .untrusted : .policy, error, subject: path)
  }

  /// The change that writes a document, or removes it, over what a snapshot holds.
  ///
  /// Without a key it has the one of its former value, or of those that were read with it: a key becomes that of
  /// new values when somebody rotates to it, not when a machine imports it.
  func put(
    _ members: JSONObject?, _ path: String, over snapshot: SharedSnapshot, with key: StoreKey?
  ) throws(SDKError) -> KeyTransaction.Put {
    try refuseLocalReferences(members, path, "write")
    let former = try? document(path, in: snapshot)
    let last = max(former?.counter ?? 0, snapshot.known.counters[path] ?? 0)
    guard last < SealedDocument.maximumCounter else {
      throw SDKError(
        .untrusted, "could not write '\(title(of: path))': its counter cannot grow any more",
        subject: path)
    }
    let counter = last + 1
    let keys = try keys()
    let others = snapshot.paths.lazy.compactMap { (try? self.document($0, in: snapshot))?.key }
    let used: StoreKey
    if let key = key ?? (former?.key ?? others.first).flatMap({ keys[$0] }) {
      used = key
    } else {
      used = try keys.newest()
    }
    let name = SharedSnapshot.valueKey(path, prefix)
    let moved = members.map { SlotDocument.moved($0, of: path, by: store.behind) }
    return KeyTransaction.Put(
      key: name,
      value: try SealedDocument.seal(moved, as: name, counter: counter, with: used))
  }

  /// Writes a document again, under another key.
  func encryptAgain(_ path: String, with key: StoreKey) async throws(SDKError) {
    try await locked(
      path, waiting: .seconds(60), encryptingWith: key,
      unless: { () async throws(SDKError) -> Void? in nil }
    ) { () async throws(SDKError) in
      try await transaction?.write(try await read(path), to: path)
    }
  }
}
