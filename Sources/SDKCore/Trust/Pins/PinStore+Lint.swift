import JSON
public import Pinning
public import Primitives

extension PinStore {
  /// The problems of the pins on disk, also of those that cannot be read.
  ///
  /// - Parameters:
  ///   - policy: the policy of the profile.
  ///   - hosts: the hosts of the profile, which are named if nothing is pinned.
  ///   - now: the time.
  ///   - end: what ends before this time ends soon.
  /// - Returns: the problems, in the order of the file.
  /// - Throws: ``SDKError`` if the file is not a document of the store.
  public func lint(
    policy: PinPolicy, hosts: [String] = [], at now: Timestamp, until end: Timestamp
  ) throws(SDKError) -> [PinProblem] {
    var sets: [PinSet] = []
    var problems: [PinProblem] = []
    if policy == .report {
      problems.append(
        PinProblem(
          .warning, .notEnforced, "pinPolicy",
          "no host is refused: requests with tokens go to servers without a pinned key"))
    }
    let members: JSONObject
    do throws(SDKError) {
      members = try document()?.members ?? [:]
    } catch  where error.code == .store {
      return problems + [PinProblem(.error, .malformed, "pins.json", error.message)]
    }
    for name in ["hosts", "proxies"] {
      guard let value = members[name] else { continue }
      guard let entries = value.object else {
        problems.append(PinProblem(.error, .malformed, name, "'\(name)' is \(value.kind)"))
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
      problems += hosts.map { PinProblem(.error, .unpinned, $0, "it has no pins") }
    }
    return problems + PinLinter(at: now, until: end, policy: policy).problems(in: sets)
  }

  private func problem(_ error: PinDocument.ReadError, _ place: String) -> PinProblem {
    let pattern = PinPattern(place)
    let isSuffix =
      pattern.map { $0.subdomains != .none && PublicSuffix.contains($0.host) } ?? false
    return PinProblem(.error, isSuffix ? .publicSuffix : .malformed, place, error.cause)
  }

  /// Pins that stand twice in one set.
  private func duplicates(in entry: JSON, _ place: String) -> [PinProblem] {
    var seen: Set<Pin> = []
    return (entry["keys"]?.array ?? []).compactMap { key in
      guard let pin = key["pin"]?.string.flatMap({ Pin($0) }), !seen.insert(pin).inserted else {
        return nil
      }
      return PinProblem(.warning, .duplicate, place, "the pin appears twice", of: pin)
    }
  }
}
