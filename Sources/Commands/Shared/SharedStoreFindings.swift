import Checkup
import HTTP
import SDKCore

/// Checks the store that a profile shares with other machines.
struct SharedStoreFindings: Sendable {
  /// The nodes of the cluster, and what of its documents cannot be read.
  var findings: [HealthFinding] = []
  /// Whether the secrets of the profile can be read; what reads them waits long for a cluster that cannot be used.
  var isReadable = true

  /// Asks the cluster, if that is allowed and there is one.
  init(_ store: ProfileStore, _ name: ProfileName, isOnline: Bool) async {
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
