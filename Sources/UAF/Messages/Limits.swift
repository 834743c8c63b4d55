/// The lengths of members (FIDO UAF Protocol 1.1, and bounds for what it leaves open).
enum Limits {
  /// `appID`: 512 characters.
  static let appID = 512
  /// `serverData`: 1536 characters.
  static let serverData = 1536
  /// `username`: 128 characters.
  static let username = 128
  /// `challenge`, decoded: 8 to 64 bytes.
  static let challenge = 8...64
  /// The data of an extension, which the specification does not bound.
  static let extensionData = 64 << 10
  /// `keyID`, decoded: 32 to 2048 bytes.
  static let keyID = 32...2048
  /// The content of a transaction: for an image, the specification has no bound.
  static let transactionContent = 1...(1 << 20)
  /// The text of a transaction: 200 characters.
  static let transactionText = 200
  /// The elements of any array.
  static let elements = 1000
}
