public import SDKCore

extension Finding.Check {
  // Of the machine and of this process.

  /// The permissions that files of other programs get.
  public static let umask = Self("umask")
  /// The clock of this machine.
  public static let clock = Self("clock")
  /// libcurl, with what it can do.
  public static let libcurl = Self("libcurl")
  /// libcrypto of OpenSSL.
  public static let openssl = Self("openssl")
  /// The trusted authorities.
  public static let authorities = Self("authorities")
  /// The proxy of requests.
  public static let proxy = Self("proxy")
  /// The browser of logins.
  public static let browser = Self("browser")
  /// Whether a login can listen on a loopback address.
  public static let loopback = Self("loopback")

  // Of the store.

  /// Owner and permissions of files and directories.
  public static let permissions = Self("permissions")
  /// Documents that are damaged, or of a newer version.
  public static let document = Self("document")
  /// What is in the store, but not of this program.
  public static let foreignFile = Self("foreign-file")
  /// What writers that were killed have left.
  public static let leftover = Self("leftover")
  /// Locks that processes hold.
  public static let lock = Self("lock")

  // Of a profile.

  /// What is stored of users.
  public static let users = Self("users")
  /// Where secrets are kept.
  public static let place = Self("place")
  /// The tokens.
  public static let token = Self("token")
  /// The client certificates.
  public static let identity = Self("identity")
  /// The registration of this installation.
  public static let registration = Self("registration")

  // Of the servers of a profile.

  /// The metadata of the authorization server.
  public static let discovery = Self("discovery")
  /// The difference between this machine's clock and the server's.
  public static let serverClock = Self("server-clock")
  /// The keys that the authorization server publishes.
  public static let keys = Self("keys")
  /// The pins, compared with what servers show.
  public static let serverPins = Self("server-pins")
  /// The cluster in which the secrets of the profile are.
  public static let sharedStore = Self("shared-store")
}
