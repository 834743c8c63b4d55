import JOSE

/// Where the keys of a verification come from.
struct KeyOptions: Sendable, Hashable {
  var issuer: String?
  var jwks: String?
  var key: String?
  var secretStandardInput = false
  var secretFile: String?
  var secretIsBase64 = false
  var algorithms: [JWSAlgorithm] = []
  /// The file with the key that decrypts encrypted tokens.
  var decryptionKey: String?

  /// Whether they are read from standard input.
  var readInput: Bool { secretStandardInput || [key, jwks, decryptionKey].contains("-") }

  var isGiven: Bool {
    issuer != nil || jwks != nil || key != nil || secretStandardInput || secretFile != nil
  }
}
