import OpenSSL
import Primitives
import SDKCore

/// A new key pair and what a certificate for it asks for.
struct EnrolmentKey {
  let key: PrivateKey
  private let content: CertificateRequestContent
  /// The error of a content that cannot be used: of the profile, or of the service.
  private let code: SDKError.Code
  private let keyURI: String?

  /// Makes a key pair; kind, subject and names are used if the profile does not say.
  ///
  /// A renewed certificate keeps its names (RFC 7030 section 4.2.2), and its kind of key unless the
  /// profile names one. A key in a security token is not replaced.
  init(
    _ context: EnrolmentContext, renewing current: Identity?,
    kind defaultKind: KeyKind = .ec(.p256), subject: SubjectName,
    names: [String]? = nil
  ) throws(SDKError) {
    let kind = context.profile[EnrolmentKeys.key]?.kind ?? current?.generatedKind
    let ownSubject = context.profile[EnrolmentKeys.subject]
    let ownNames = context.profile[EnrolmentKeys.names]
    let isOfService = names != nil && ownSubject == nil && ownNames == nil
    code = isOfService ? .malformedResponse : .invalidConfiguration
    if let current {
      content = CertificateRequestContent(renewing: current.chain.leaf)
    } else {
      var wanted = CertificateRequestContent(subject: ownSubject ?? subject)
      let wantedNames = if let ownNames { ownNames } else { try Self.ofService(names ?? []) }
      for name in wantedNames { wanted.add(name) }
      content = wanted
    }
    if case .securityToken(let uri) = current?.key, let opened = SecurityTokenKeys.opened(uri) {
      (key, keyURI) = (opened, uri)
      return
    }
    keyURI = nil
    key = try attempt { try PrivateKey.generate(kind ?? defaultKind) }
  }

  func request() throws(SDKError) -> [UInt8] {
    try attempt(as: code) {
      try CertificateRequest.make(content, signedBy: key)
    }
  }

  func identity(
    _ request: IdentityRequest, _ certificates: [Certificate], authorities: [Certificate] = [],
    by service: EnrolmentKind, at now: Timestamp
  ) throws(SDKError) -> Identity {
    do {
      let material = IdentityMaterial(key: key, certificates: certificates)
      let chain = try material.chain(completedBy: authorities, for: try key.publicKey)
      return Identity(
        name: request.name, hosts: request.hosts, chain: chain,
        key: keyURI.map { .securityToken(uri: $0) } ?? .pem(key.pem),
        origin: .obtained(by: service.rawValue), obtainedAt: now)
    } catch {
      let cause = (error as? SDKError)?.message ?? "the key cannot be used"
      throw SDKError(
        .malformedResponse, cause: "the service returned no usable certificate: \(cause)")
    }
  }

  private static func ofService(_ names: [String]) throws(SDKError) -> [AlternativeName] {
    try names.map { (text) throws(SDKError) in
      guard let name = AlternativeName(text) else {
        throw SDKError(
          .malformedResponse,
          cause: "'\(VisibleText.of(text))' is not DNS:, IP:, email: or URI: and a name")
      }
      return name
    }
  }
}

extension Identity {
  fileprivate var generatedKind: KeyKind? {
    switch try? chain.leaf.publicKey.kind {
    case .other?, nil: nil
    case let kind?: kind
    }
  }
}
