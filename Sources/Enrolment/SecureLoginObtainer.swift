import HTTP
import JSON
import OpenSSL
import Pinning
import Primitives
import SDKCore
import Synchronization

/// SAP Secure Login Server: a login of as many rounds as the server wants, then a certificate.
///
/// `doLogin` returns JSON that names input fields, the client returns forms. The names of members
/// and fields are those of SAP's SDK, which are not published for the wire (docs/vendors.md).
struct SecureLoginObtainer: Sendable {
  let context: EnrolmentContext

  /// Logs in before a lock is taken if somebody can be asked: what the server will ask for is not known before.
  func prepare(renewing current: Identity?) async throws(SDKError) {
    guard context.questions.input != nil else { return }
    let login = try await logIn(renewing: current)
    context.prepared.logins.withLock { $0[current?.name] = login }
  }

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let client = EnrolmentClient(context)
    let prepared = context.prepared.logins.withLock {
      $0.removeValue(forKey: request.current?.name)
    }
    let login: SecureLogin
    if let prepared { login = prepared } else { login = try await logIn(renewing: request.current) }
    let key = try EnrolmentKey(
      context, renewing: request.current, kind: .rsa(bits: login.keySize),
      subject: SubjectName(
        commonName: context.profile[EnrolmentKeys.user] ?? request.name.description))
    let response = try await client.send(
      .post, try endpoint("slc2/getCertificate"),
      .bytes(try key.request(), type: "application/pkcs10"), cookies: login.cookies)
    return try key.identity(
      request, try EnrolmentClient.certificates(response), by: .sls, at: context.now())
  }

  private func logIn(renewing current: Identity?) async throws(SDKError) -> SecureLogin {
    let client = EnrolmentClient(context)
    var cookies = CookieJar()
    // Only the first request may say which names are wanted: those of the renewed certificate.
    var form = FormParameters()
    let details = current.map { CertificateDetails($0.chain.leaf) }
    let names =
      details?.names.compactMap { AlternativeName($0) }
      ?? context.profile[EnrolmentKeys.names] ?? []
    if let subject = details?.subject ?? context.profile[EnrolmentKeys.subject.name]?.string {
      form.append("subjectName", subject)
    }
    for (kind, field) in [
      (AlternativeName.Kind.email, "subjectAltNamesRfc822"), (.dns, "subjectAltNamesDNS"),
    ] {
      let values = names.filter { $0.kind == kind }.map(\.value)
      if !values.isEmpty { form.append(field, values.joined(separator: ",")) }
    }
    let url = try endpoint("slc3/doLogin")
    for round in 0..<Self.maximumRounds {
      let response = try await client.send(.post, url, .form(form), cookies: cookies)
      cookies.store(from: response, at: context.now())
      guard let document = try? JSON(parsing: response.body), document.object != nil else {
        throw SDKError(.malformedResponse, cause: "the response of \(url.host) is not JSON")
      }
      let input = SecureLoginInput(document)
      guard !input.fields.isEmpty else {
        return SecureLogin(cookies: cookies, keySize: try keySize(document, url))
      }
      form = try await answers(input, isFirst: round == 0)
    }
    throw SDKError(
      .refused, cause: "\(url.host) asked for input \(Self.maximumRounds) times", subject: url.host)
  }

  private func keySize(_ document: JSON, _ url: HTTPURL) throws(SDKError) -> Int {
    guard let size = document["clientConfig"]?["keySize"]?.int else { return 2048 }
    guard (2048...8192).contains(size) else {
      throw SDKError(.malformedResponse, cause: "\(url.host) requires a key of \(size) bits")
    }
    return Int(size)
  }

  /// What the profile knows, once; the rest is asked of the person.
  private func answers(
    _ input: SecureLoginInput, isFirst: Bool
  ) async throws(SDKError) -> FormParameters {
    var values: [String: String] = [:]
    for field in input.fields {
      values[field.name] = field.preset
      guard isFirst else { continue }
      if field.isSecret {
        if context.profile[EnrolmentKeys.passwordFile] != nil {
          values[field.name] = try await context.password(
            of: context.profile[EnrolmentKeys.user] ?? "")
        }
      } else if let user = context.profile[EnrolmentKeys.user], field.preset == nil {
        values[field.name] = user
      }
    }
    var missing = input
    missing.fields = input.fields.filter { values[$0.name] == nil }.map { field in
      var field = field
      if isFirst { field.setting = field.isSecret ? "identity.passwordFile" : "identity.user" }
      return field
    }
    if !missing.fields.isEmpty {
      guard let ask = context.questions.input else {
        let settings = missing.settings
        throw SDKError(
          .denied,
          cause: "the server asks for '\(missing.fields[0].name)'"
            + (input.message.map { " (\($0))" } ?? "") + ", and nobody can be asked"
            + (settings.isEmpty ? "" : "; not set: \(settings.joined(separator: ", "))"))
      }
      values.merge(try await ask(missing)) { $1 }
    }
    var form = FormParameters()
    for field in input.fields { form.append(field.name, values[field.name] ?? "") }
    return form
  }

  private func endpoint(_ path: String) throws(SDKError) -> HTTPURL {
    let label = try context.profile.required(EnrolmentKeys.label)
    do {
      return try context.profile.required(EnrolmentKeys.url)
        .appending("/SecureLoginServer/\(path)").adding(["profile": label])
    } catch let error as SDKError {
      throw error
    } catch {
      throw SDKError(.invalidConfiguration, cause: "identity.url: \(error)")
    }
  }

  private static let maximumRounds = 10
}

struct SecureLogin: Sendable {
  let cookies: CookieJar
  let keySize: Int
}
