import JSON
import POSIX
import Primitives

/// What a machine keeps of a user's documents in a shared store: `shared.json` of its state, mode 0600.
///
/// * The valid access tokens, without what renews them, and what their use needs: while they are valid, no
///   network is asked.
/// * The greatest counter of each document that it has seen, and the key of that one: an older document, or one
///   under an older key, is refused.
struct MachineCopy: Sendable {
  /// What the file holds.
  struct Content: Sendable, Hashable {
    var seen = SeenDocuments()
    var documents: [String: JSONObject] = [:]
    /// When the documents were read.
    var read: Timestamp = 0
  }

  let path: StorePath
  /// The place that it is a copy of; one of another place counts as absent.
  let place: String
  /// Whether it is written; not before the machine has the profile.
  var isKept = true

  /// Reads the file; empty if it is absent or damaged: then only its use is lost.
  ///
  /// - Throws: ``SDKError/Code/storeVersion``: the counters of a newer program count, too.
  func load() throws(SDKError) -> Content {
    guard path.exists else { return Content() }
    let members: JSONObject?
    do throws(SDKError) {
      members = try StoreDocument.read(path, .secret)?.members
    } catch {
      guard error.code != .storeVersion else { throw error }
      return Content()
    }
    guard let members, sameIdentifier(members["place"]?.string, place) else { return Content() }
    var content = Content(read: members["read"]?.time ?? 0)
    for (path, counter) in members["counters"]?.object?.sorted ?? [] {
      content.seen.counters[path] = counter.int
    }
    for (path, key) in members["keys"]?.object?.sorted ?? [] {
      content.seen.keys[path] = key.string
    }
    for (path, document) in members["documents"]?.object?.sorted ?? [] {
      content.documents[path] = document.object
    }
    return content
  }

  /// Takes documents that were read; a document with an older counter is not taken.
  func note(_ documents: [String: SealedDocument], at now: Timestamp) {
    guard let former = try? load() else { return }
    var content = former
    for (path, document) in documents where document.counter >= content.seen.counters[path] ?? 0 {
      content.seen.counters[path] = document.counter
      content.seen.keys[path] = document.key
      content.documents[path] = document.members.flatMap { Self.usable($0, path) }
    }
    guard isKept, content != former else { return }
    content.read = now
    // The next process asks the network once more if this fails.
    try? StoreDocument(
      path: path, secrecy: .secret,
      members: [
        "place": .string(place), "read": .time(content.read),
        "counters": .object(JSONObject(content.seen.counters.map { ($0, .int($1)) })),
        "keys": .object(JSONObject(content.seen.keys.map { ($0, .string($1)) })),
        "documents": .object(JSONObject(content.documents.map { ($0, .object($1)) })),
      ]
    ).write()
  }

  /// A document that can be used without the network until it has expired; a slot without a known end, for a
  /// minute after it was read.
  ///
  /// - Throws: ``SDKError/Code/storeVersion``.
  func recent(_ path: String, at now: Timestamp) throws(SDKError) -> JSONObject? {
    let content = try load()
    guard let document = content.documents[path] else { return nil }
    let isUsable =
      !SlotDocument.isSlot(path) || SlotDocument.hasEnd(document) || now < content.read + 60
    return isUsable ? document : nil
  }

  /// What the use of a credential needs of a document: nothing that gets another one.
  private static func usable(_ members: JSONObject, _ path: String) -> JSONObject {
    var members = members
    if SlotDocument.isSlot(path) {
      let isRenewable = members["refreshToken"]?.string != nil
      members["refreshToken"] = nil
      if isRenewable { members[renewable] = true }
    } else if path == SecretName.registration.path(of: .standard) {
      for name in RegistrationSecrets.keys + ["sealedKey"] { members[name] = nil }
      if var client = members["client"]?.object {
        for name in RegistrationSecrets.ofClient { client[name] = nil }
        members["client"] = .object(client)
      }
    }
    return members
  }

  /// A member of a slot whose refresh token is in the shared store only.
  static let renewable = "isRenewable"
}
