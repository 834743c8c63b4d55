import CoreTestSupport
import POSIX

@testable import SDKCore
@testable import SharedStore

/// What a machine keeps, in memory.
final class MemoryFiles: SecretPlace {
  private let documents = Mutex<[String: JSONObject]>([:])

  func read(_ path: String) -> JSONObject? { documents.withLock { $0[path] } }

  func write(_ members: JSONObject, to path: String) {
    documents.withLock { $0[path] = members }
  }

  func remove(_ path: String) { documents.withLock { $0[path] = nil } }

  func proveWritable(_ path: String) -> StagedFile? { nil }

  func title(of path: String) -> String { path }
}

/// The locks of a machine with one process.
struct FreeLocks: MachineLocks {
  func areFor(_ path: String) -> Bool { true }

  func areHeld(_ path: String) -> Bool { false }

  func ifFree(_ path: String, _ body: () async -> Void) async { await body() }
}
