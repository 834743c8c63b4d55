import JSON
public import Pinning
public import Primitives
public import SDKCore

extension PinStore {
  /// The problems of the pins on disk, also of those that cannot be read.
  ///
  /// - Throws: ``SDKError`` if the file is not a document of the store.
  public func lint(
    policy: PinPolicy, hosts: [String] = [], at now: Timestamp, until end: Timestamp
  ) throws(SDKError) -> [Finding] {
    var sets: [PinSet] = []
    var problems: [Finding] = []
    if policy == .report {
      problems.append(
        Finding(
          .warning, .notEnforced, "pinPolicy",
          "no host is refused: requests with tokens go to servers without a pinned key"))
    }
    let members: JSONObject
    do throws(SDKError) {
      members = try document()?.members ?? [:]
    } catch  where error.code == .store {
      return problems + [Finding(.error, .malformed, "pins.json", error.message)]
    }
    for name in ["hosts", "proxies"] {
      guard let value = members[name] else { continue }
      guard let entries = value.object else {
        problems.append(Finding(.error, .malformed, name, "'\(name)' is \(value.kind)"))
        continue
      }
      for (text, entry) in entries.sorted {
        do throws(PinDocument.ReadError) {
          sets += try PinDocument.sets(in: [name: .object([text: entry])])
        } catch {
          problems.append(problem(error, text))
        }
        problems += duplicates(in: entry, text)
      }
    }
    if sets.isEmpty, !problems.contains(where: { $0.severity == .error }) {
      problems += hosts.map {
        Finding(
          .pins, .error, "it has no pins", about: $0, problem: .unpinned, remedy: .pinHost($0))
      }
    }
    return problems + PinLinter(now: now, end: end, policy: policy).problems(in: sets)
  }

  private func problem(_ error: PinDocument.ReadError, _ place: String) -> Finding {
    let pattern = PinPattern(place)
    let isSuffix =
      pattern.map { $0.subdomains != .none && PublicSuffix.contains($0.host) } ?? false
    return Finding(.error, isSuffix ? .publicSuffix : .malformed, place, error.cause)
  }

  private func duplicates(in entry: JSON, _ place: String) -> [Finding] {
    var seen: Set<Pin> = []
    return (entry["keys"]?.array ?? []).compactMap { key in
      guard let pin = key["pin"]?.string.flatMap({ Pin($0) }), !seen.insert(pin).inserted else {
        return nil
      }
      return Finding(.warning, .duplicate, place, "the pin appears twice", of: pin)
    }
  }
}

private struct PinLinter: Sendable {
  let now: Timestamp
  let end: Timestamp
  /// The policy of sets that do not have their own.
  let policy: PinPolicy

  func problems(in sets: [PinSet]) -> [Finding] {
    sets.flatMap { problems(of: $0) } + sharedPins(of: sets)
  }

  private func problems(of set: PinSet) -> [Finding] {
    let place = set.pattern.description
    var problems: [Finding] = []
    if let expires = set.expires {
      if expires <= now {
        problems.append(
          Finding(
            .error, .expired, place, "the pins expired on \(expires.date): the host is refused"))
      } else if expires < end {
        problems.append(
          Finding(.warning, .expiresSoon, place, "the pins expire on \(expires.date)"))
      }
    }
    if !set.hasBackup {
      let isEnforced = (set.policy ?? policy) == .enforce
      problems.append(
        Finding(
          isEnforced ? .error : .warning, .noBackup, place,
          "there is no second key: when this one is lost or replaced, the host is refused",
          of: set.keys.first?.pin))
    }
    if set.policy == .report {
      problems.append(
        Finding(
          .warning, .notEnforced, place,
          "mismatches are only reported: requests with tokens go to servers without a pinned key"))
    }
    return problems + weakKeys(of: set, place) + shortLivedLeaf(of: set, place)
  }

  /// Leaf keys alone, of certificates that are replaced several times a year.
  private func shortLivedLeaf(of set: PinSet, _ place: String) -> [Finding] {
    guard set.keys.allSatisfy({ $0.role == .leaf || $0.role == .backup }) else { return [] }
    let leaves = set.keys.filter { key in
      guard key.role == .leaf, let end = key.notAfter, let added = key.added else { return false }
      return end.seconds(since: added) < Self.shortLife
    }
    return leaves.map { key in
      let end = key.notAfter ?? now
      return Finding(
        .warning, .shortLivedLeaf, place,
        "only leaf keys are pinned, and the certificate of this one \(end <= now ? "ended" : "ends") on "
          + "\(end.date), within 100 days of its pinning: pin an authority too, or make sure that "
          + "renewals keep the key", of: key.pin)
    }
  }

  private static let shortLife: Int64 = 100 * 86_400

  private func weakKeys(of set: PinSet, _ place: String) -> [Finding] {
    set.keys.compactMap { key in
      guard let type = key.keyType, Self.isWeak(type) else { return nil }
      return Finding(
        .warning, .weakKey, place, "the key is \(type): 2048 bits are the minimum", of: key.pin)
    }
  }

  private static func isWeak(_ type: String) -> Bool {
    let words = type.words
    guard words.count >= 2, ["RSA", "DSA"].contains(words[0]), let bits = Int(words[1]) else {
      return words.first == "DSA"
    }
    return bits < 2048
  }

  /// Sets with the same pins: a rotation that changes one and forgets the other breaks a host.
  ///
  /// A host and its subdomains may need two sets, where a format has no pattern for both.
  private func sharedPins(of sets: [PinSet]) -> [Finding] {
    var first: [Set<Pin>: PinPattern] = [:]
    return sets.compactMap { set in
      let pins = Set(set.keys.map(\.pin))
      let place = set.pattern.description
      guard let other = first[pins] else {
        first[pins] = set.pattern
        return nil
      }
      guard other.host != set.host else { return nil }
      return Finding(
        .warning, .samePins, place,
        "the pins are those of \(other): change both, or use one pattern for them")
    }
  }
}

extension Finding {
  fileprivate init(
    _ severity: Severity, _ problem: Problem, _ place: String, _ text: String, of pin: Pin? = nil
  ) {
    self.init(.pins, severity, text, about: place, problem: problem, of: pin)
  }
}
