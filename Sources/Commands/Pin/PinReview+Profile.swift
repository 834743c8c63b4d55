import Pinning
import Primitives
import SDKCore

extension PinReview {
  /// Pins all servers that the profile of the context needs and that have no pins; asks once.
  ///
  /// Those that only the metadata of the issuer names are warned of if they cannot be reached: what needs them
  /// says so before it begins.
  func pinProfile(_ settings: PinAddition = PinAddition(), roles: [PinRole]) async throws {
    let session = try context.session { connection.apply(to: &$0) }
    var addition = settings
    var (places, seen): ([PinEndpoint], [CertificateDetails]) = ([], [])
    func look(at place: PinEndpoint) async throws {
      guard let pattern = PinPattern(host: place.host) else { throw Failure.notHost(place.host) }
      guard addition.applied(to: session.pins).set(for: place.host, port: place.port) == nil else {
        return
      }
      addition.add(try await shownKeys(of: place, roles: roles, seen: &seen), to: pattern)
      places.append(place)
    }
    for place in session.profile.pinEndpoints { try await look(at: place) }
    let needed = await session.neededEndpoints(trusting: addition.applied(to: session.pins))
    if let error = needed.error { context.warning(error.message) }
    for place in needed.endpoints {
      do { try await look(at: place) } catch { context.warning(context.failure(error).message) }
    }
    guard !places.isEmpty else { return context.note("each host of the profile has pins") }
    let names = roles.map(\.rawValue).joined(separator: " and ")
    let hosts = places.map(\.shownHost).joined(separator: ", ")
    try await context.confirm("Pin the \(names) key of \(hosts)?", isAgreed: isAgreed)
    try await add(addition, mayLackBackup: true)
  }
}
