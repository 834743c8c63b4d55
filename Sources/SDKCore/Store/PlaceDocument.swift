import JSON
import OpenSSL
import Primitives

/// The kinds of places where a profile can keep its secrets.
public enum StorePlace: Sendable, Hashable, CustomStringConvertible {
  /// Files of the profile's state.
  case files
  /// A program `docker-credential-NAME`, which speaks the protocol of docker's credential helpers.
  case helper(String)
  /// A store that several machines share, by its address: `KIND:https://…`.
  case shared(String)

  /// Whether several machines use it.
  public var isShared: Bool { if case .shared = self { true } else { false } }

  /// Reads `files`, `helper:NAME` or the address of a shared store, which is not checked.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for anything else.
  public init(_ text: String) throws(SDKError) {
    let name = text.dropFirst("helper:".count)
    if text == "files" {
      self = .files
    } else if text.hasPrefix("helper:"), !name.isEmpty, name.first != ".",
      name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) })
    {
      self = .helper(String(name))
    } else if text.containsText(":https://") {
      self = .shared(text)
    } else {
      throw SDKError(
        .invalidRequest,
        "could not use the place '\(text)': it is neither 'files' nor 'helper:NAME' nor the address of a shared "
          + "store")
    }
  }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .files: "files"
    case .helper(let name): "helper:\(name)"
    case .shared(let address): address
    }
  }
}

/// Names the place of a profile's secrets, in `place.json` of its state.
///
/// Without the file they are in files.
///
/// Its members: `place`; `id`, a random name of this profile in that place; for a shared place, `caFile` and
/// `certificateFile` (``StoreConnection``); `other`, an object with the
/// same members: a place that may hold some of the secrets too, because a move to it or from it did not end.
package struct PlaceDocument: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var place: StorePlace = .files
    package var id = ""
    package var connection = StoreConnection()

    /// Where the machine keeps what it has of a shared place, below the profile's state.
    package var folder: String { "shared/\(id)/" }
  }

  package var entry = Entry()
  package var other: Entry?

  package init() {}

  package init(of profile: ProfileName, at location: StoreLocation) throws(SDKError) {
    let path = Self.path(profile, location)
    // A profile whose secrets are in files costs no read.
    guard path.exists, let document = try StoreDocument.read(path, .secret) else { return }
    self = try PlaceDocument(document.content)
  }

  package func write(of profile: ProfileName, at location: StoreLocation) throws(SDKError) {
    let path = Self.path(profile, location)
    guard self != PlaceDocument() else {
      return try StoreDocument(path: path, secrecy: .secret).remove()
    }
    try StoreDocument(path: path, secrecy: .secret, members: stored).write()
  }

  private static func path(_ profile: ProfileName, _ location: StoreLocation) -> StorePath {
    location.stateFile("profiles/\(profile)/place.json")
  }
}

extension PlaceDocument.Entry {
  package init(
    new place: StorePlace, _ connection: StoreConnection, for profile: ProfileName
  ) throws(SDKError) {
    self.place = place
    self.connection = connection
    if place != .files { id = "\(profile)-" + Hex.encode(try attempt { try Random.bytes(8) }) }
  }
}

extension PlaceDocument: StoredValue {
  package init(_ fields: StoredFields, _ value: PlaceDocument?) throws(SDKError) {
    entry = try Entry(fields, value?.entry)
    other = try fields.optional("other", value?.other, .object)
  }
}

extension PlaceDocument.Entry: StoredValue {
  package init(_ fields: StoredFields, _ value: Self?) throws(SDKError) {
    place = try fields.required("place", value?.place, .form("a place") { try? StorePlace($0) })
    id = try fields.required("id", value?.id, .text)
    connection = try StoreConnection(fields, value?.connection)
    if place.isShared, id.isEmpty { throw fields.invalid("id", "is empty") }
  }
}
