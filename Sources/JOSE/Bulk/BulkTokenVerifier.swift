internal import OpenSSL
internal import Primitives

/// Recognises valid tokens without building documents: for many tokens with few different headers.
///
/// It reports only that a token is valid; for any other result ``TokenVerifier`` is asked. A header
/// is learned from a token that the verifier found valid. Not for several threads at once.
public final class BulkTokenVerifier {
  /// A token that is valid.
  public struct Match: Sendable, Hashable {
    /// The number of the learned header.
    public let header: Int
    /// Which times it has: 1 for `exp`, 2 for `nbf`, 4 for `iat`.
    public let times: Int

    /// A number below ``count``, different for each match.
    public var number: Int { header << 3 | times }
    /// How many different matches there are.
    public static var count: Int { maximumHeaderCount << 3 }
  }

  private static let maximumHeaderCount = 16

  private struct Header {
    let text: [UInt8]
    let verifier: Verifier
    let signatureByteCount: Int
    /// The curve of an ECDSA key.
    let curve: EllipticCurve?

    /// How long the signature is in base64url.
    var signatureTextCount: Int { (signatureByteCount * 4 + 2) / 3 }

    func isHeader(of line: UnsafeBufferPointer<UInt8>) -> Bool {
      line.count > text.count && line[text.count] == UInt8(ascii: ".")
        && equal(UnsafeBufferPointer(rebasing: line[..<text.count]), text)
    }
  }

  private let verifier: TokenVerifier
  private let isUsable: Bool
  private let audiences: [[UInt8]]
  private let issuer: [UInt8]?
  private let subject: [UInt8]?
  private let authorizedParty: [UInt8]?
  private let nonce: [UInt8]?
  private var headers: [Header] = []
  private var decoder = Base64URLDecoder()

  /// Recognises what that verifier finds valid.
  public init(_ verifier: TokenVerifier) {
    self.verifier = verifier
    let wanted = verifier.expectations
    isUsable =
      wanted.accessToken == nil && wanted.confirmation == nil && wanted.scope.isEmpty
      && wanted.contexts.isEmpty && wanted.minimumLifetime == nil && wanted.tenantIssuer == nil
    audiences = wanted.audiences.map { Array($0.utf8) }
    issuer = wanted.issuer.map { Array($0.utf8) }
    subject = wanted.subject.map { Array($0.utf8) }
    authorizedParty = wanted.authorizedParty.map { Array($0.utf8) }
    nonce = wanted.nonce.map { Array($0.utf8) }
  }

  /// Remembers the header of a token that the verifier found valid.
  ///
  /// - Returns: the number of the header; `nil` if such tokens are not recognised.
  public func learn(_ compact: String) -> Int? {
    guard isUsable, headers.count < Self.maximumHeaderCount, let jws = try? JWS(compact: compact),
      let algorithm = jws.algorithm, let how = algorithm.signature, how != .eddsa
    else { return nil }
    let text = Array(compact.utf8.prefix { $0 != UInt8(ascii: ".") })
    if let known = headers.firstIndex(where: { $0.text == text }) { return known }
    let keys = verifier.keys.candidates(kid: jws.keyID, algorithm: algorithm)
    guard keys.count == 1, let key = keys[0].publicKey, let prepared = Verifier(copying: key, how)
    else { return nil }
    headers.append(
      Header(
        text: text, verifier: prepared,
        signatureByteCount: algorithm.curve.map { $0.coordinateByteCount * 2 }
          ?? key.signatureByteCount,
        curve: algorithm.curve))
    return headers.count - 1
  }

  /// The token of a line if it is certainly valid; `nil` if ``TokenVerifier`` must decide.
  public func match(_ line: UnsafeBufferPointer<UInt8>) -> Match? {
    guard line.count <= JWS.maximumByteCount,
      let number = headers.firstIndex(where: { $0.isHeader(of: line) })
    else { return nil }
    let header = headers[number]
    // The lengths of header and signature are known; the alphabet of base64url has no dot.
    let first = header.text.count
    let second = line.count - header.signatureTextCount - 1
    guard second > first, line[second] == UInt8(ascii: ".") else { return nil }
    let payload = UnsafeBufferPointer(rebasing: line[(first + 1)..<second])
    let signature = UnsafeBufferPointer(rebasing: line[(second + 1)...])
    guard let times = decoder.decode(payload, { self.times(of: $0) }) ?? nil else { return nil }
    let message = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: line[..<second]))
    let isSigned = decoder.decode(signature) { bytes in
      bytes.count == header.signatureByteCount && Self.verify(bytes, message, header)
    }
    return isSigned == true ? Match(header: number, times: times) : nil
  }

  private static func verify(
    _ signature: UnsafeBufferPointer<UInt8>, _ message: UnsafeRawBufferPointer, _ header: Header
  ) -> Bool {
    guard header.curve != nil else {
      return header.verifier.verify(
        signature: UnsafeRawBufferPointer(signature), message: message)
    }
    return ECDSASignature.withDER(raw: signature) { der in
      header.verifier.verify(signature: der, message: message)
    }
  }

  /// Which times the claims have; `nil` if a claim is not as required.
  private func times(of payload: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let claims = ClaimScanner(payload, audiences: audiences) else { return nil }
    let wanted = verifier.expectations
    let (now, leeway) = (wanted.now.seconds, wanted.leeway)
    var times = 0
    if let expiration = claims.expiration {
      guard now.subtractingClamped(leeway) < expiration else { return nil }
      times |= 1
    } else if wanted.requiresExpiration {
      return nil
    }
    if let notBefore = claims.notBefore {
      guard notBefore <= now.addingClamped(leeway) else { return nil }
      times |= 2
    }
    if let issuedAt = claims.issuedAt {
      guard issuedAt <= now.addingClamped(leeway) else { return nil }
      times |= 4
    }
    guard audiences.isEmpty || claims.hasAudience, isEqual(claims.issuer, issuer),
      isEqual(claims.subject, subject), isEqual(claims.nonce, nonce)
    else { return nil }
    guard let authorizedParty else { return times }
    guard let found = claims.authorizedParty else {
      return claims.audienceCount > 1 ? nil : times
    }
    return equal(found, authorizedParty) ? times : nil
  }

  private func isEqual(_ found: UnsafeBufferPointer<UInt8>?, _ wanted: [UInt8]?) -> Bool {
    guard let wanted else { return true }
    return found.map { equal($0, wanted) } ?? false
  }
}
