import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

/// What the processes of the model do.
extension ModelWorld {
  /// Starts a process: it reads, and renews under the lock what was there in the beginning.
  func start(_ index: Int, _ location: StoreLocation) throws {
    let place = try place(index, location)
    Task {
      let result: String
      do throws(SDKError) {
        result = "token \(try await renew(index, place))"
      } catch {
        result = error.code.description
      }
      state.withLock { state in
        state.processes[index].isDone = true
        state.processes[index].result = result
        Self.stop(&state)
      }
    }
  }

  /// The machine of a process, as that sees the store.
  func place(_ index: Int, _ location: StoreLocation) throws -> SharedPlace {
    var keys = try StoreKeys(of: ProfileName("model"), at: location)
    keys.add(key)
    let all = keys
    return SharedPlace(
      ModelStore(world: self, process: index),
      SharedFiles(prefix: "p", files: files[index]) { () throws(SDKError) in all },
      called: "model", machine: "machine \(index)", owner: { "process \(index)" }, now: { 0 },
      locks: FreeLocks())
  }

  private func renew(_ index: Int, _ place: SharedPlace) async throws(SDKError) -> Int64 {
    func newer() async throws(SDKError) -> Int64? {
      let token = try await place.read(Self.path)?["token"]?.int ?? 0
      return token > 1 ? token : nil
    }
    do throws(SDKError) {
      return try await place.locked(Self.path, waiting: .seconds(60), mustRun: false, unless: newer)
      {
        (presentation) async throws(SDKError) in
        _ = try await presentation.confirm("1")
        guard let token = try await exchange(index, 1) else {
          throw SDKError(.sessionExpired, "ended")
        }
        try await place.write(["token": .int(token), "refreshToken": "r"], to: Self.path)
        return token
      }
    } catch {
      guard error.code == .changedElsewhere, let token = try await newer() else { throw error }
      return token
    }
  }

  /// The server: a refresh token is taken once; a second use ends the session.
  private func exchange(_ index: Int, _ token: Int64) async throws(SDKError) -> Int64? {
    let response = try await step(index, .exchange) { state -> Int64? in
      // The request is not sent after the lease has ended.
      guard state.processes[index].lease.map(state.leases.contains) == true else { return -1 }
      state.exchanges[token, default: 0] += 1
      guard state.isAlive, token == state.current else {
        state.isAlive = false
        return nil
      }
      state.current += 1
      return state.current
    } seen: {
      "\($0 ?? 0)"
    }
    if response == -1 { throw SDKError(.network, "not sent in time") }
    return response
  }

  /// Lets the next process of each machine do what is left, after all faults are over.
  func recover(_ location: StoreLocation) async throws {
    state.withLock { $0.isFree = true }
    for index in files.indices { _ = try? await place(index, location).read(Self.path) }
  }
}
