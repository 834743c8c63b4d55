import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

/// The lock protocol of shared places, explored: the code that a refresh runs, over a store and a server in
/// memory, with a choice before each step of each process.
@Suite("Lock protocol")
struct LockProtocolTests {
  private let folder: TemporaryFolder
  private let key: StoreKey

  init() throws {
    folder = try TemporaryFolder()
    key = try StoreKey([UInt8](repeating: 7, count: 32))
  }

  private var location: StoreLocation { StoreLocation(home: folder.path) }

  /// Explores more than a usual run has time for.
  private static let isThorough = Environment.current["SDKCTL_MODEL"] == "all"

  @Test("lets one process refresh, whatever the order", arguments: [2, 3])
  func orders(processes: Int) async throws {
    let count = try await explore(processes: processes, faults: 0)
    #expect(count > 5)
  }

  @Test(
    "survives a crash, a lost answer and a lost lease at every step",
    arguments: isThorough ? [2, 3] : [2])
  func faults(processes: Int) async throws {
    let count = try await explore(processes: processes, faults: 1)
    #expect(count > 50)
  }

  @Test("survives random schedules with several faults")
  func random() async throws {
    let seed =
      Environment.current["SDKCTL_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...(1 << 32))
    for round in 0..<(Self.isThorough ? 300 : 50) {
      var dice = Dice(state: seed &+ UInt64(round))
      let world = try start(Int.random(in: 2...5, using: &dice))
      var faults = 3
      while true {
        await world.settled()
        let choices = world.choices(faults: faults)
        // Faults are rarer than steps.
        let plain = choices.filter { $0.fault == .none }
        let pool = Int.random(in: 0..<4, using: &dice) == 0 ? choices : plain
        guard let choice = (pool.isEmpty ? choices : pool).randomElement(using: &dice) else {
          if world.expire() { continue }
          break
        }
        if choice.fault != .none { faults -= 1 }
        world.go(choice)
      }
      try await judge(world, "SDKCTL_SEED=\(seed &+ UInt64(round))")
    }
  }

  private func start(_ processes: Int) throws -> ModelWorld {
    let world = try ModelWorld(processes: processes, key: key)
    for index in 0..<processes { try world.start(index, location) }
    return world
  }

  /// Runs every schedule, except those that come to a state which was seen before.
  ///
  /// - Returns: the number of schedules.
  private func explore(processes: Int, faults: Int) async throws -> Int {
    var seen: Set<Int> = []
    var open: [[ModelWorld.Choice]] = [[]]
    var count = 0
    while let prefix = open.popLast() {
      count += 1
      let world = try start(processes)
      var path = prefix
      for choice in prefix { await advance(world, choice) }
      while true {
        await world.settled()
        let spent = path.count { $0.fault != .none }
        guard seen.insert(world.digest).inserted else { break }
        let choices = world.choices(faults: faults - spent)
        guard let first = choices.first else {
          if world.expire() { continue }
          try await judge(world, "\(path)")
          break
        }
        for other in choices.dropFirst() { open.append(path + [other]) }
        path.append(first)
        world.go(first)
      }
      await abandon(world)
    }
    return count
  }

  /// Repeats a choice of an earlier run.
  private func advance(_ world: ModelWorld, _ choice: ModelWorld.Choice) async {
    await world.settled()
    while !world.choices(faults: 1).contains(choice), world.expire() {}
    world.go(choice)
  }

  /// Ends what a run has left.
  private func abandon(_ world: ModelWorld) async {
    while true {
      await world.settled()
      guard
        let index = world.state.withLock({ state in
          state.processes.firstIndex { $0.step != nil }
        })
      else { return }
      world.go(ModelWorld.Choice(process: index, fault: .crash))
    }
  }

  private func judge(_ world: ModelWorld, _ schedule: String) async throws {
    let results = world.state.withLock { state in
      state.processes.map { $0.hasCrashed ? "crashed" : $0.result ?? "waits" }
    }
    try await world.recover(location)
    let state = world.state.withLock { $0 }
    let name = SharedSnapshot.valueKey(ModelWorld.path, "p")
    var keys = try StoreKeys(of: ProfileName("model"), at: location)
    keys.add(key)
    let slot = try state.values[name].map {
      try EncryptedDocument(opening: $0.value, as: name, with: keys).members?["token"]?.int
    }
    #expect(state.stored == state.stored.sorted(), "an older slot over a newer one: \(schedule)")
    #expect(!results.contains("waits"), "\(results): \(schedule)")
    #expect(state.exchanges.values.allSatisfy { $0 == 1 }, "two requests: \(schedule)")
    #expect(state.isAlive, "an old token was presented: \(schedule)")
    if !state.hasLostToken { #expect(slot == state.current, "a lost login: \(schedule)") }
    guard !state.isExcused else { return }
    #expect(results.allSatisfy { $0 == "token 2" }, "\(results): \(schedule)")
  }
}
