// Keys of the way to servers, beside those of `ProfileKeys.swift`.
extension ProfileKeys {
  /// A file of authorities that are trusted besides the others.
  public var extraCAFile: Key<String?> {
    Key("extraCAFile", .path, .local, "PEM file of authorities to trust besides the others")
  }

  /// The proxy, in place of the environment's.
  public var proxy: Key<ProxySetting?> {
    Key("proxy", .proxy, .elsewhere, "The proxy in place of the environment's; none for no proxy")
  }

  /// The hosts that are reached without the proxy of the profile.
  public var proxyExceptions: Key<[String]> {
    Key(
      "noProxy", .words, .added, default: [],
      "Hosts that are reached without the proxy of the profile")
  }
}
