import JSON

/// How a document becomes a value of the store, and back.
extension SharedPlace {
  /// A document, decrypted; `nil` if there is none.
  func document(
    _ path: String, in snapshot: SharedSnapshot
  ) throws(SDKError) -> SealedDocument? {
    guard let value = snapshot.value(path) else { return nil }
    var document = try SealedDocument(
      opening: value.value, as: SharedSnapshot.valueKey(path, prefix), with: try keys(),
      known: snapshot.known[path] ?? 0)
    document.members = document.members.map { SlotDocument.moved($0, of: path, by: -store.behind) }
    return document
  }

  /// The change that writes a document, or removes it, over what a snapshot holds.
  ///
  /// Without a key it has the one of its former value, or of those that were read with it: a key becomes that of
  /// new values when somebody rotates to it, not when a machine imports it.
  func put(
    _ members: JSONObject?, _ path: String, over snapshot: SharedSnapshot, with key: StoreKey?
  ) throws(SDKError) -> KeyTransaction.Put {
    let former = try? document(path, in: snapshot)
    let counter = max(former?.counter ?? 0, snapshot.known[path] ?? 0) + 1
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
