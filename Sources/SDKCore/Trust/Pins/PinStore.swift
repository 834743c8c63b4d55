public import Pinning
import Primitives

/// The pins of a profile on disk: `pins.json`, which has no secrets and can be shared.
public struct PinStore: Sendable {
  private let path: StorePath
  private let store: ProfileStore
  private let profile: ProfileName

  /// Opens the pins of a profile; nothing is read yet.
  public init(_ location: StoreLocation, _ profile: ProfileName) {
    store = ProfileStore(location)
    self.profile = profile
    path = location.configFile("profiles/\(profile)/pins.json")
  }

  /// Reads the pins; no pins if there is no file.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the document is damaged;
  ///   ``SDKError/Code/store`` if it cannot be read.
  public func load() throws(SDKError) -> PinSets {
    guard let document = try document() else {
      return PinSets(publicSuffixes: .system)
    }
    return try attempt("could not read '\(document.path)'", as: .invalidConfiguration) {
      PinSets(try PinDocument.sets(in: document.members), publicSuffixes: .system)
    }
  }

  /// The document as it is, the user's or the site's; `nil` if there is no file.
  package func document() throws(SDKError) -> StoreDocument? { try store.pinDocument(of: profile) }

  /// Writes the pins; members of the document that are not pins stay.
  ///
  /// - Throws: ``SDKError/Code/store`` if the document cannot be written;
  ///   ``SDKError/Code/invalidConfiguration`` for a profile of the site.
  public func save(_ sets: PinSets) throws(SDKError) {
    if store.isOfSite(profile) { try store.requireOwn(profile) }
    var document =
      try StoreDocument.read(path, .shared) ?? StoreDocument(path: path, secrecy: .shared)
    document.members = PinDocument.members(sets.sets, over: document.members)
    try document.write()
  }
}
