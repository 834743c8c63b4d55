import HTTP
import SDKCore
import SharedStore

extension PlaceHealth {
  /// Asks the cluster that a profile shares with other machines, if that is allowed and there is one.
  init(_ session: ProfileSession, in store: ProfileStore, isOnline: Bool) async {
    self.init()
    let name = session.profile.name
    guard (try? store.place(of: name))?.place.isShared == true else { return }
    guard isOnline else {
      isReadable = false
      findings = [
        HealthFinding(.token, .ok, "the tokens are in a shared store, which was not asked")
      ]
      return
    }
    do throws(SDKError) {
      guard let status = try await store.sharedStatus(of: name) else { return }
      isReadable = status.documents != nil
      findings = status.nodes.map { finding(of: $0) }
      if !isReadable {
        findings.append(HealthFinding(.sharedStore, .error, "its documents cannot be read"))
      }
      for document in status.documents ?? [] {
        guard let error = document.error else { continue }
        findings.append(HealthFinding(.sharedStore, error, about: document.path))
      }
    } catch {
      isReadable = false
      findings = [HealthFinding(.sharedStore, error)]
    }
  }

  /// One node less is no fault as long as the others form a majority.
  private func finding(of node: SharedStoreStatus.Node) -> HealthFinding {
    let address = node.endpoint.description
    guard let error = node.error else {
      return HealthFinding(.sharedStore, .ok, "the node can be used", about: address)
    }
    return HealthFinding(.sharedStore, error, about: address, as: isReadable ? .warning : .error)
  }
}
