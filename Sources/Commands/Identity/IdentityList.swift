import Arguments
import Primitives
import SDKCore

enum IdentityList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the identities of the profile",
    description: """
      Prints the identities of the profile, and the requests of {identity csr} that wait for a certificate.
      """,
    examples: [("sdkctl identity list", "List the identities")],
    output: IdentityReport.rows.list)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let session = try context.session()
    let store = session.identities.store()
    var reports: [IdentityReport] = []
    var damage: SDKError?
    let (names, requested) = (try store.names(), try store.requestedNames())
    for name in names {
      do throws(SDKError) {
        reports.append(
          IdentityReport(identity: try store.identity(named: name), now: context.now()))
      } catch {
        damage = error
      }
    }
    for name in requested {
      do throws(SDKError) {
        if let request = try store.requested(name) {
          reports.append(IdentityReport(request: request, now: context.now()))
        }
      } catch {
        damage = error
      }
    }
    if reports.isEmpty { context.note("there is no identity") }
    context.print(reports, IdentityReport.rows)
    // The others are listed even so.
    if let damage { throw Failure(damage, profile: session.profile.name) }
  }
}
