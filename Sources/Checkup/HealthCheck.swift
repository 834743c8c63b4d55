package import SDKCore

/// What a check of the installation looks at.
extension Finding.Check {
  // Of the machine and of this process.

  /// The permissions that files of other programs get.
  package static let umask = Self("umask")
  /// The clock of this machine.
  package static let clock = Self("clock")
  /// libcurl, with what it can do.
  package static let libcurl = Self("libcurl")
  /// libcrypto of OpenSSL.
  package static let openssl = Self("openssl")
  /// The trusted authorities.
  package static let authorities = Self("authorities")
  /// The proxy of requests.
  package static let proxy = Self("proxy")
  /// The browser of logins.
  package static let browser = Self("browser")
  /// Whether a login can listen on a loopback address.
  package static let loopback = Self("loopback")

  // Of the store.

  /// Owner and permissions of files and directories.
  package static let permissions = Self("permissions")
  /// Documents that are damaged, or of a newer version.
  package static let document = Self("document")
  /// What is in the store, but not of this program.
  package static let foreignFile = Self("foreign-file")
  /// What writers that were killed have left.
  package static let leftover = Self("leftover")
  /// Locks that processes hold.
  package static let lock = Self("lock")

  // Of a profile.

  /// What is stored of users.
  package static let users = Self("users")
  /// Where secrets are kept.
  package static let place = Self("place")
  /// The tokens.
  package static let token = Self("token")
  /// The client certificates.
  package static let identity = Self("identity")
  /// The registration of this installation.
  package static let registration = Self("registration")

  // Of the servers of a profile.

  /// The metadata of the authorization server.
  package static let discovery = Self("discovery")
  /// The difference between this machine's clock and the server's.
  package static let serverClock = Self("server-clock")
  /// The keys that the authorization server publishes.
  package static let keys = Self("keys")
  /// The pins, compared with what servers show.
  package static let serverPins = Self("server-pins")
  /// The cluster in which the secrets of the profile are.
  package static let sharedStore = Self("shared-store")
}
