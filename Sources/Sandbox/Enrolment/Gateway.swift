/// The ports that accept identities of the enrolment authority.
enum Gateway: String, CaseIterable, Sendable {
  /// No connection without an identity.
  case required
  /// The same with TLS 1.2 only.
  case required12
  /// With an identity or without.
  case optional
}
