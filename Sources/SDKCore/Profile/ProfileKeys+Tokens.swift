extension ProfileKeys {
  var tokenParameters: Key<[TokenParameter]> {
    Key(
      "tokenParameters", .tokenParameters, .files, default: [],
      "What is added to each token request; a value @FILE is a secret in that file")
  }
}
