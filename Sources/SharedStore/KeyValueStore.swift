import SDKCore

/// What the lock protocol needs of a replicated store: keys with revisions, leases, transactions, and the
/// wait for a change.
///
/// All that is written has one order, and each change gets a greater revision. Values are encrypted before they come
/// here, but for who holds a lock. Every operation may have been done although its error says otherwise: the answer
/// can be lost.
protocol KeyValueStore: Sendable {
  /// By how many seconds the machine's clock is behind that of the store; 0 while they agree.
  var behind: Int64 { get }

  /// Reads all keys that begin with one of these texts, at one revision.
  func read(_ prefixes: [String]) async throws(SDKError) -> KeyValues

  /// Makes a lease: its keys vanish if it is not kept alive for that many seconds.
  func grant(seconds: Int64) async throws(SDKError) -> Int64

  /// Begins the time of a lease again; `false` if it has vanished.
  func keepAlive(_ lease: Int64) async throws(SDKError) -> Bool

  /// Ends a lease: its keys vanish.
  func revoke(_ lease: Int64) async throws(SDKError)

  /// Changes keys if all conditions hold, and reads; at once, and for all machines.
  ///
  /// - Throws: ``SDKError/Code/changedElsewhere`` if a lease of the transaction has vanished.
  func commit(_ transaction: KeyTransaction) async throws(SDKError) -> KeyTransaction.Outcome

  /// Waits until a key that begins with this text has changed after a revision.
  ///
  /// - Returns: the changes; `nil` after the time, and if it is not known what has changed.
  func changes(
    of prefix: String, after revision: Int64, waiting time: Duration
  ) async throws(SDKError) -> KeyChanges?
}

/// A value of a key.
struct KeyValue: Sendable, Hashable {
  var value: [UInt8]
  /// The revision at which the key was made.
  var created: Int64
  /// The revision at which the value was written.
  var modified: Int64
  /// The lease with which it vanishes; 0 for none.
  var lease: Int64 = 0
}

/// Keys as they were at a revision.
struct KeyValues: Sendable, Hashable {
  var revision: Int64
  var values: [String: KeyValue]
}

/// Keys that have changed; `nil` for those that have vanished.
struct KeyChanges: Sendable, Hashable {
  /// The revision of the last change.
  var revision: Int64
  var values: [String: KeyValue?]
}

/// Changes that are made together, or not at all.
struct KeyTransaction: Sendable, Hashable {
  /// What must hold for the changes to be made.
  enum Condition: Sendable, Hashable {
    /// The key was made at that revision; 0 if it does not exist.
    case created(String, Int64)
    /// The value was written at that revision; 0 if there is none.
    case modified(String, Int64)
  }

  /// A value that is written.
  struct Put: Sendable, Hashable {
    var key: String
    var value: [UInt8]
    /// The lease with which it vanishes; 0 for none.
    var lease: Int64 = 0
  }

  /// What came of it.
  struct Outcome: Sendable, Hashable {
    /// Whether the conditions held.
    var succeeded: Bool
    /// What was read, after the changes.
    var read: KeyValues
  }

  var conditions: [Condition] = []
  var puts: [Put] = []
  /// The keys that are deleted.
  var deletions: [String] = []
  /// What is read in any case: all keys that begin with one of these texts.
  var reads: [String] = []
  /// Whether it stores what a server has just sent: the time limit of the command does not end it.
  var isUrgent = false
}
