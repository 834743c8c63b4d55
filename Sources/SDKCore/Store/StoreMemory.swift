import POSIX
import Synchronization

/// What a session has read from its store, kept as long as the files do not change.
///
/// So ten thousand requests do not read the same documents ten thousand times. What another process
/// writes is seen after 50 ms, what this one writes at once. What changes a document reads it anew,
/// under its lock.
final class StoreMemory: Sendable {
  private struct State {
    var slots: [Slot] = []
    var decisions: [Decision] = []
  }

  private struct Slot {
    let slot: CredentialSlot
    let content: SlotContent
    var sight: Sight
  }

  /// Whether the server asked for the encryption of requests with or without a credential.
  private struct Decision {
    let hasCredential: Bool
    let isOn: Bool
    var sight: Sight
  }

  private let state = Mutex(State())

  /// What a slot holds.
  func content(
    of slot: CredentialSlot, _ open: () -> CredentialStore
  ) throws(SDKError) -> SlotContent {
    let kept: SlotContent? = state.withLock { state in
      guard let index = state.slots.firstIndex(where: { $0.slot == slot }) else { return nil }
      return state.slots[index].sight.isCurrent() ? state.slots[index].content : nil
    }
    if let kept { return kept }
    // Before the file is read: a change in between is then noticed.
    let file = open()
    let sight = Sight([file.path])
    let content = try file.content()
    state.withLock { state in
      state.slots.removeAll { $0.slot == slot }
      state.slots.append(Slot(slot: slot, content: content, sight: sight))
    }
    return content
  }

  /// Whether the server asked for encrypted requests, according to some files.
  func asksForEncryption(
    hasCredential: Bool, _ files: () -> [StorePath], _ read: () throws(SDKError) -> Bool
  ) throws(SDKError) -> Bool {
    let kept: Bool? = state.withLock { state in
      guard let index = state.decisions.firstIndex(where: { $0.hasCredential == hasCredential })
      else { return nil }
      return state.decisions[index].sight.isCurrent() ? state.decisions[index].isOn : nil
    }
    if let kept { return kept }
    let sight = Sight(files())
    let isOn = try read()
    state.withLock { state in
      state.decisions.removeAll { $0.hasCredential == hasCredential }
      state.decisions.append(Decision(hasCredential: hasCredential, isOn: isOn, sight: sight))
    }
    return isOn
  }
}

/// How files were seen, and when.
private struct Sight {
  private let paths: [StorePath]
  private let stamps: [FileStamp?]
  private var writes: Int
  private var time: ContinuousClock.Instant

  init(_ paths: [StorePath]) {
    self.paths = paths
    writes = StoreDocument.writes
    time = .now
    stamps = paths.map { FileStamp.of($0.text) }
  }

  /// Whether the files are the same as then.
  mutating func isCurrent() -> Bool {
    if writes == StoreDocument.writes, time.duration(to: .now) < .milliseconds(50) { return true }
    let now = Sight(paths)
    guard now.stamps == stamps else { return false }
    self = now
    return true
  }
}
