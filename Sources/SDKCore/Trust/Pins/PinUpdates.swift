import JSON
import Primitives

/// The last signed pin set of each signer: its time and the digest of its content, in
/// `pin-updates.json`.
///
/// An older set must not bring back keys that were removed since, nor another one of the same second.
struct PinUpdates: Sendable {
  private let path: StorePath

  init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.stateFile("profiles/\(profile)/pin-updates.json")
  }

  /// Throws ``SDKError/Code/untrusted`` if a newer set of the same signer was used, or another one
  /// with the same time.
  func refuseReplay(of signed: SignedPinSet) throws(SDKError) {
    if let document = try StoreDocument.read(path, .secret) { try refuse(signed, document) }
  }

  /// Remembers a set; refuses those of ``refuseReplay(of:)``.
  func note(_ signed: SignedPinSet) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    try refuse(signed, document)
    document.set("signers", signed.signer, to: signed.issued.description)
    document.set("contents", signed.signer, to: signed.digest)
    try document.write()
  }

  private func refuse(
    _ signed: SignedPinSet, _ document: StoreDocument
  ) throws(SDKError) {
    let text = document.members["signers"]?[signed.signer]?.string
    guard let last = text.flatMap({ Timestamp($0) }) else { return }
    guard signed.issued >= last else {
      throw SignedPinSet.untrusted(
        "it was signed on \(signed.issued), and a newer one of \(last) was used before")
    }
    let content = document.members["contents"]?[signed.signer]?.string
    guard signed.issued > last || content == nil || content == signed.digest else {
      throw SignedPinSet.untrusted(
        "it was signed on \(signed.issued), and another one of that time was used before")
    }
  }
}

extension StoreDocument {
  fileprivate mutating func set(_ name: String, _ signer: String, to text: String) {
    var members = members[name]?.object ?? [:]
    members[signer] = .string(text)
    self.members[name] = .object(members)
  }
}
