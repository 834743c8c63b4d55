import Checkup
import HTTP
import SDKCore
import SharedStore

/// Checks the store that a profile shares with other machines.
struct SharedStoreFindings: Sendable {
  /// The nodes of the cluster, and what of its documents cannot be read.
  var findings: [Finding] = []
  /// Whether the secrets of the profile can be read; what reads them waits long for a cluster that cannot be used.
  var isReadable = true

  /// Asks the cluster, if that is allowed and there is one.
  init(_ store: ProfileStore, _ name: ProfileName, isOnline: Bool) async {
    guard (try? store.place(of: name))?.place.isShared == true else { return }
    guard isOnline else {
      isReadable = false
      findings = [
        Finding(.token, .ok, "the tokens are in a shared store, which was not asked")
      ]
      return
    }
    do throws(SDKError) {
      guard let status = try await store.sharedStatus(of: name) else { return }
      isReadable = status.documents != nil
      findings = status.nodes.map { finding(of: $0) }
      if !isReadable {
        findings.append(Finding(.sharedStore, .error, "its documents cannot be read"))
      }
      for document in status.documents ?? [] {
        guard let error = document.error else { continue }
        findings.append(Finding(.sharedStore, error, about: document.path))
      }
    } catch {
      isReadable = false
      findings = [Finding(.sharedStore, error)]
    }
  }

  /// One node less is no fault as long as the others form a majority.
  private func finding(of node: SharedStoreStatus.Node) -> Finding {
    let address = node.endpoint.description
    guard let error = node.error else {
      return Finding(.sharedStore, .ok, "the node can be used", about: address)
    }
    return Finding(.sharedStore, error, about: address, as: isReadable ? .warning : .error)
  }
}
