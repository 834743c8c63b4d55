package import SDKCore

/// What a check of the installation looks at.
extension Finding.Check {
  // Of the machine and of this process.

  /// The permissions that files of other programs get.
  package static let umask = Self("umask")
  package static let clock = Self("clock")
  package static let libcurl = Self("libcurl")
  package static let openssl = Self("openssl")
  package static let authorities = Self("authorities")
  package static let proxy = Self("proxy")
  package static let browser = Self("browser")
  /// Whether a login can listen on a loopback address.
  package static let loopback = Self("loopback")

  // Of the store.

  /// Owner and permissions of files and directories.
  package static let permissions = Self("permissions")
  package static let document = Self("document")
  /// What is in the store, but not of this program.
  package static let foreignFile = Self("foreign-file")
  /// What writers that were killed have left.
  package static let leftover = Self("leftover")
  package static let lock = Self("lock")

  // Of a profile.

  package static let users = Self("users")
  package static let place = Self("place")
  package static let token = Self("token")
  package static let identity = Self("identity")
  package static let registration = Self("registration")

  // Of the servers of a profile.

  package static let discovery = Self("discovery")
  package static let serverClock = Self("server-clock")
  package static let keys = Self("keys")
  /// The pins, compared with what servers show.
  package static let serverPins = Self("server-pins")
  /// The cluster in which the secrets of the profile are.
  package static let sharedStore = Self("shared-store")
}
