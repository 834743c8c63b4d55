import HTTP
import OAuth
import Primitives
import Synchronization

extension EnrolmentContext {
  /// What a client shows beside a certificate: the password of `identity.user` from
  /// `identity.passwordFile`, or the token of the slot `identity.token`; nothing if the profile names
  /// neither.
  func credential() async throws(SDKError) -> HTTPFields {
    if let slot = profile.identityToken { return [try await questions.token(slot)] }
    guard let user = profile.identityUser else { return [] }
    let pair = Base64.encode(Array("\(user):\(try await password(of: user))".utf8))
    return [HTTPField(known: "Authorization", "Basic \(pair)")]
  }

  /// Asks a person for the password, which ``password(of:)`` then returns once.
  func preparePassword(of user: String) async throws(SDKError) {
    guard profile.identityPasswordFile == nil, questions.password != nil else { return }
    let known = prepared.password.withLock { $0 }
    if known == nil {
      let password = try await password(of: user)
      prepared.password.withLock { $0 = password }
    }
  }

  /// The password of a user at the enrolment service: of a file, or of a person.
  func password(of user: String) async throws(SDKError) -> String {
    if let password = prepared.password.withLock({ $0.take() }) { return password }
    if let path = profile.identityPasswordFile {
      return try await SecretFile.line(of: path, "password (identity.passwordFile)")
    }
    guard let ask = questions.password else {
      throw SDKError(
        .invalidConfiguration,
        cause: "there is no password for '\(user)': no identity.passwordFile",
        subject: "identity.passwordFile")
    }
    return try await ask(user)
  }
}

/// What a person has given for an enrolment, until it is used.
final class PreparedEnrolment: Sendable {
  let password = Mutex<String?>(nil)
  /// Logins at a Secure Login Server, by the identity that each renews; `nil` for a new one.
  let logins = Mutex<[IdentityName?: SecureLogin]>([:])
}
