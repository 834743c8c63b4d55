import Arguments
import HTTP
import SDKCore

/// How connections are made, as options of the commands that make them.
struct ConnectionArguments: Sendable {
  var connectTimeout: Duration?
  var resolve: [AddressOverride] = []
  var connectTo: [ConnectionOverride] = []

  func apply(to options: inout SessionOptions) {
    options.connectTimeout = connectTimeout.flatMap { $0 == .zero ? nil : $0 }
    options.resolve = resolve
    options.connectTo = connectTo
  }

  static let options: [Option<Self>] = [
    .value(
      "connect-timeout", "SPAN", \.connectTimeout,
      "Limit the time to connect (default 30)"
    )
    .more("0 means the default."),
    .list(
      "resolve", "HOST:PORT:ADDRESS", \.resolve,
      "Use this address of a host", parse: address
    )
    .more(
      """
      As in curl: `HOST:PORT:ADDRESS[,ADDRESS]...`, with `*` for every host. Certificate and \
      pins are checked for the host as always, so that a new server can be tried before the \
      DNS changes. For https only.
      """),
    .list(
      "connect-to", "HOST1:PORT1:HOST2:PORT2", \.connectTo,
      "Connect to HOST2:PORT2 instead of HOST1:PORT1", parse: connection
    )
    .more(
      """
      As in curl: an empty HOST1 or PORT1 means every one, an empty HOST2 or PORT2 means that of \
      the URL. Certificate and pins are checked for the host of the URL. For https only.
      """),
  ]

  private static func address(_ text: String) throws(ValueError) -> AddressOverride {
    guard let value = AddressOverride(text) else { throw ValueError("expected HOST:PORT:ADDRESS") }
    return value
  }

  private static func connection(_ text: String) throws(ValueError) -> ConnectionOverride {
    guard let value = ConnectionOverride(text) else {
      throw ValueError("expected HOST1:PORT1:HOST2:PORT2")
    }
    return value
  }
}
