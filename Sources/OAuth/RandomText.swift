package import JOSE
import OpenSSL

/// Random bytes in base64url: `state`, `nonce` and code verifiers.
func randomText(bytes count: Int) throws(OAuthError) -> String {
  do {
    return Base64URL.encode(try Random.bytes(count))
  } catch {
    throw OAuthError(.unsupported, "could not make random numbers: \(error)")
  }
}

/// A `jti` claim that no other token has: 128 random bits.
package func tokenIdentifier() throws(JOSEError) -> String {
  do {
    return Base64URL.encode(try Random.bytes(16))
  } catch {
    throw JOSEError(error)
  }
}
