import Arguments
import JSON
import Primitives
import SDKCore

/// `sdkctl identity list` -- list the identities of the profile.
enum IdentityList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the identities of the profile",
    description: """
      Prints one identity per line: name, hosts, subject, condition and expiry, separated by tabs; on a \
      terminal, a table. \
      The condition is `good`, `due` (for renewal), `expired`, `not-yet-valid` or `wrong-usage`; \
      `requested` is a request of {identity csr} whose certificate was not imported yet.
      """,
    examples: [("sdkctl identity list", "List the identities")],
    json: "An array of objects as {identity show} prints them.")

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let session = try context.session()
    let store = session.identities.store()
    var reports: [IdentityReport] = []
    var damage: SDKError?
    var requests: [RequestReport] = []
    let (names, requested) = (try store.names(), try store.requestedNames())
    for name in names {
      do throws(SDKError) {
        reports.append(
          IdentityReport(identity: try store.identity(named: name), now: context.instant))
      } catch {
        damage = error
      }
    }
    for name in requested {
      do throws(SDKError) {
        if let request = try store.requested(name) { requests.append(RequestReport(request)) }
      } catch {
        damage = error
      }
    }
    if context.globals.json {
      context.print(.array(reports.map(\.json) + requests.map(\.json)))
    } else {
      if reports.isEmpty, requests.isEmpty { context.note("there is no identity") }
      let rows = reports.map(\.cells) + requests.map(\.cells)
      context.print(TextTable("IDENTITY", "HOSTS", "SUBJECT", "CONDITION", "EXPIRES", rows: rows))
    }
    // The others are listed even so.
    if let damage { throw Failure(damage, profile: session.profile.name) }
  }
}
