/// What a check of the installation looks at, in a word that scripts read.
public enum HealthCheck: String, Sendable, Hashable, CaseIterable {
  // Of the machine and of this process.

  /// The permissions that files of other programs get.
  case umask
  /// The clock of this machine.
  case clock
  /// libcurl, with what it can do.
  case libcurl
  /// libcrypto of OpenSSL.
  case openssl
  /// The trusted authorities.
  case authorities
  /// The proxy of requests.
  case proxy
  /// The browser of logins.
  case browser
  /// Whether a login can listen on a loopback address.
  case loopback

  // Of the store.

  /// Owner and permissions of files and directories.
  case permissions
  /// Documents that are damaged, or of a newer version.
  case document
  /// What is in the store, but not of this program.
  case foreignFile = "foreign-file"
  /// What writers that were killed have left.
  case leftover
  /// Locks that processes hold.
  case lock

  // Of a profile.

  /// The settings.
  case settings
  /// The pins, without a connection.
  case pins
  /// What is stored of users.
  case users
  /// Where secrets are kept.
  case place
  /// The tokens.
  case token
  /// The client certificates.
  case identity
  /// The registration of this installation.
  case registration

  // Of the servers of a profile.

  /// The metadata of the authorization server.
  case discovery
  /// The difference between this machine's clock and the server's.
  case serverClock = "server-clock"
  /// The keys that the authorization server publishes.
  case keys
  /// The pins, compared with what servers show.
  case serverPins = "server-pins"
  /// The cluster in which the secrets of the profile are.
  case sharedStore = "shared-store"
}
