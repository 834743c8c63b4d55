extension ClientMetadata {
  private typealias Grant = TokenEndpoint.Grant

  /// The grants that this client uses.
  package static func grantTypes(confidential: Bool) -> [String] {
    login + (confidential ? ["client_credentials"] : [])
  }

  /// The grants without which there is no login in a browser that lasts.
  private static let login = ["authorization_code", "refresh_token"]

  /// The same client with one list of grants after the other, for a server to take the first
  /// that it can.
  ///
  /// A server that meets a grant that it does not know refuses the client; many announce too
  /// few, and some spell one in their own way. So all come first, then those that are announced,
  /// then those of a login alone, for a server that lets no client use more.
  package func variants(at server: ServerMetadata) -> [ClientMetadata] {
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
    // Some servers let no client choose its scope, and give it theirs.
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
