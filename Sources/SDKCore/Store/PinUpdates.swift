import JSON
import Primitives

/// When the last signed pin set of each signer was made: `pin-updates.json`.
///
/// An older set must not bring back keys that were removed since.
struct PinUpdates: Sendable {
  private let path: StorePath

  init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.stateFile("profiles/\(profile)/pin-updates.json")
  }

  /// Throws ``SDKError/Code/untrusted`` if a newer set of the same signer was used.
  func refuseReplay(of signed: SignedPinSet) throws(SDKError) {
    try refuse(signed, last(of: signed, in: try StoreDocument.read(path, .secret)))
  }

  /// Remembers a set; refuses an older one.
  func note(_ signed: SignedPinSet) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    try refuse(signed, last(of: signed, in: document))
    var signers = document.members["signers"]?.object ?? [:]
    signers[signed.signer] = .string(signed.issued.description)
    document.members["signers"] = .object(signers)
    try document.write()
  }

  private func last(of signed: SignedPinSet, in document: StoreDocument?) -> Timestamp? {
    document?.members["signers"]?[signed.signer]?.string.flatMap { Timestamp($0) }
  }

  private func refuse(_ signed: SignedPinSet, _ last: Timestamp?) throws(SDKError) {
    guard let last, signed.issued < last else { return }
    throw SignedPinSet.untrusted(
      "it was signed on \(signed.issued), and a newer one of \(last) was used before")
  }
}
