extension ClientMetadata {
  private typealias Grant = TokenEndpoint.Grant

  /// The grants that this client uses.
  package static func grantTypes(confidential: Bool) -> [String] {
    login + (confidential ? ["client_credentials"] : [])
  }

  /// The grants of a login in a browser and of refreshing its tokens.
  private static let login = ["authorization_code", "refresh_token"]

  /// Variants of the client with different lists of grants; the server gets the first
  /// that it accepts.
  ///
  /// A server refuses a client with a grant that it does not know; many announce too
  /// few, and some use another name for one. So the first variant has all grants, the next those
  /// that are announced, the last only those of a login.
  func variants(at server: ServerMetadata) -> [ClientMetadata] {
    let announced = server.words("grant_types_supported")
    let wanted =
      [Grant.deviceCode]
      + (authenticationMethod == .none ? [] : [Grant.tokenExchange, Grant.assertion])
    let extras = wanted.filter { announced?.contains($0) ?? false }
    // The profile says that this server takes them, whatever it announces.
    let chosen = grantTypes + (takesPasswords ? ["password"] : [])
    var lists = [chosen + extras]
    // Glewlwyd registers the device grant under the name of its endpoint.
    if extras.contains(Grant.deviceCode) { lists.append(chosen + [Self.deviceAuthorization]) }
    lists += [chosen, grantTypes]
    for list in [grantTypes, Self.login] {
      if let announced {
        lists.append(list.filter { $0 == "authorization_code" || announced.contains($0) })
      }
      lists.append(Self.login)
    }
    var seen: Set<[String]> = []
    let variants = lists.filter { seen.insert($0).inserted }.map { list in
      var client = self
      client.grantTypes = list
      return client
    }
    guard scope != nil, !requiresScope else { return variants }
    // Some servers do not let clients choose their scope.
    return variants
      + variants.map { variant in
        var client = variant
        client.scope = nil
        return client
      }
  }

  /// The grants of this client that are not among those that a server registered.
  func grants(missingIn registered: [String]) -> [String] {
    grantTypes.filter { grant in
      !registered.contains(grant)
        && !(grant == Grant.deviceCode && registered.contains(Self.deviceAuthorization))
    }
  }

  private static let deviceAuthorization = "device_authorization"
}
