extension ProfileKeys {
  var tokenParameters: Key<[TokenParameter]> {
    Key(
      "tokenParameters", .tokenParameters, .files, default: [],
      "What is added to each token request; a value @FILE is a secret in that file")
  }

  /// Whether a token that another program has put into the user's file is used.
  public var discoversToken: Key<Bool> {
    Key(
      "tokenDiscovery", .flag, .localFlag, default: false,
      "Whether the token of another program in bt_u$UID is used if it exists (WLCG)")
  }
}
