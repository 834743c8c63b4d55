/// The HTTP/1.1 connections that transfers use at the moment, each of them one.
///
/// libcurl 7.88 takes all connections to a host for HTTP/2 once a status line there says so, and then
/// sends several requests at the same time on one of HTTP/1.1: each could get the response of another.
final class ExclusiveConnections {
  private var users: [UnsafeRawPointer: ObjectIdentifier] = [:]

  /// Notes that a transfer uses a connection; `false` if another one does.
  func take(_ connection: UnsafeRawPointer, for transfer: Transfer) -> Bool {
    let user = users[connection, default: ObjectIdentifier(transfer)]
    users[connection] = user
    return user == ObjectIdentifier(transfer)
  }

  /// Notes that a transfer no longer uses a connection.
  func release(_ connection: UnsafeRawPointer, of transfer: Transfer) {
    if users[connection] == ObjectIdentifier(transfer) { users[connection] = nil }
  }
}
