import Arguments
import HTTP
import Primitives
import SDKCore

/// The arguments of a command that looks at the chains of servers.
protocol DetourArguments: ConnectingArguments {
  var detour: PinDetour { get set }
}

/// Another address than that of the host, or another name than that of the address.
struct PinDetour: Sendable {
  var serverName: String?
  var connect: ConnectionOverride?

  /// `--servername`, `--connect`, and the options of every connection.
  static func options<Arguments: DetourArguments>() -> [Option<Arguments>] {
    [
      .value(
        "servername", nil, "NAME", \.detour.serverName,
        "Ask the host for this name, and check it", parse: name
      )
      .more(
        """
        The name goes to the server in the handshake (SNI), and the certificate must be for it. \
        Pins and output are those of NAME. For one host only.
        """),
      .value(
        "connect", nil, "HOST[:PORT]", \.detour.connect, "Connect to this address instead",
        parse: address
      )
      .more(
        """
        For every host of the command: the name that the server is asked for, the check of the \
        certificate, and the pins are those of the host. Use it to look at a new server before the \
        DNS changes, or at one of several behind a load balancer.
        """),
    ] + ConnectionArguments.options()
  }

  /// The servers, by the names that are sent to them (SNI).
  ///
  /// - Parameter places: what was typed.
  /// - Returns: the places, and how each is reached.
  /// - Throws: ``Failure`` for a name without exactly one host.
  func route(_ places: [PinPlace]) throws -> PinRoute {
    guard let serverName else { return PinRoute(places: places, overrides: overrides(for: nil)) }
    guard places.count == 1, let place = places.first else {
      throw Failure.usage("--servername needs exactly one host")
    }
    return PinRoute(
      places: [PinPlace(host: serverName, port: place.port)], overrides: overrides(for: place))
  }

  /// Hosts as they are typed, by the names that are sent to them (SNI).
  ///
  /// - Returns: the words, and how their hosts are reached.
  func route(words: [String]) throws -> (words: [String], route: PinRoute) {
    let places = words.compactMap { PinPlace($0) }
    let route = try route(places)
    guard serverName != nil, let place = route.places.first else { return (words, route) }
    let namesPort = words[0].containsText("://") || words[0].hasSuffix(":\(place.port)")
    return ([namesPort ? place.address : place.host], route)
  }

  private func overrides(for place: PinPlace?) -> [ConnectionOverride] {
    if let connect { return [connect] }
    guard let serverName, let place else { return [] }
    let host = HostName.bracketed(place.host)
    return ConnectionOverride("\(serverName)::\(host):").map { [$0] } ?? []
  }

  private static func name(_ text: String) throws(ValueError) -> String? {
    guard let name = HostName.normalized(text), !HostName.isAddress(name) else {
      throw ValueError("not a host name\(InternationalName.clause(about: text))")
    }
    return name
  }

  /// An address as an override for every host and port.
  private static func address(_ text: String) throws(ValueError) -> ConnectionOverride? {
    guard let address = ConnectionOverride("::\(text)") ?? ConnectionOverride("::\(text):"),
      !text.isEmpty, text.first != ":"
    else { throw ValueError("expected HOST or HOST:PORT, an IPv6 address in brackets") }
    return address
  }
}

/// Servers, and the addresses that are connected to.
struct PinRoute: Sendable {
  /// The servers, by the names that are sent to them (SNI).
  let places: [PinPlace]
  let overrides: [ConnectionOverride]

  /// A server as it was typed, by the name that is sent to it.
  ///
  /// Only `--servername` changes the name, and it takes exactly one server.
  func place(of typed: PinPlace) -> PinPlace { places.count == 1 ? places[0] : typed }

  /// Puts the addresses into the options of a session, after those of `--connect-to`.
  func apply(to options: inout SessionOptions) { options.connectTo += overrides }
}
