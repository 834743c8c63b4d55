import Testing

@testable import JOSE

/// Tokens that joserfc 1.8.0 made for one key, drawn until the shared secret began with a zero.
///
/// RFC 7518 section 4.6.2 keeps such zeros; servers that strip them derive another key.
@Suite struct ZeroSecretTests {
  @Test(
    "a shared secret that begins with a zero is as long as any other",
    arguments: [(JWEAlgorithm.ecdhES, direct), (.ecdhESA128KW, wrapped)])
  func padded(algorithm: JWEAlgorithm, token: String) throws {
    let pem = "-----BEGIN PRIVATE KEY-----\n\(Self.key)\n-----END PRIVATE KEY-----\n"
    let key = try DecryptionKey(pem: pem, algorithm: algorithm)
    #expect(try JWE(compact: token).decrypt(with: key) == Array("padded".utf8))
  }

  private static let key =
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOOBydM2W1SKbcv4e"
    + "9XfdZOpeIpJXlNQBIN+/hSMvzvShRANCAATXRNFGEyZQEi94E5WXmwo7VGoJ72JL"
    + "Jl/qPy3N5zH8NwZRCFzUqebXeM2UCOGGpkQ92wqIWFToflWbO7r0oyhW"
  private static let direct =
    "eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImVwayI6eyJjcnYiOiJQLTI1NiIsIngiOiJLYU"
    + "5ob0NBQUNKNmUzMUdueHpPbzRqc3pzeGtEUnVVUlpyeGlJRFoxRk5FIiwieSI6InZZQjhNSFRSa2FBQk9Q"
    + "OXdtak5OOURkU1RUbTFRSlFQSmQyRlNOanJPR2MiLCJrdHkiOiJFQyJ9fQ..r2FiU5GahlACemr4.-E7k-"
    + "4LB.oGxzZA7Ki0l03uLjWKiSMw"
  private static let wrapped =
    "eyJhbGciOiJFQ0RILUVTK0ExMjhLVyIsImVuYyI6IkExMjhDQkMtSFMyNTYiLCJlcGsiOnsiY3J2IjoiUC"
    + "0yNTYiLCJ4IjoieW5Xc0NSUHhvZXVhX05MQjhlNEZJd2dsa19qUGw5anQ4OG1DTzRwQXRtcyIsInkiOiJW"
    + "X2hJRUc0bUNjN3hnNnh3b2FyTkRyNTFBcXZqb3ZEbmdiUVpWTUFkakt3Iiwia3R5IjoiRUMifX0.FylGQD"
    + "SVD6o01WIFKLHYVDXOuHLhvQUaZsN1abtTi7el2ryzpIeE0A.rvCQfXpwRAk_IkXOV83e2g.pF67ynd7hY"
    + "KF0B15WE3kog.V1Nb6kShmtcGhk7cOQ6pIg"
}
