import JSON

/// SAP's Secure Login Server as far as it is public: a login in rounds, then a certificate.
///
/// The first round asks for user name and password, the second for a one-time code.
extension Routes {
  mutating func addSecureLogin() {
    post("/SecureLoginServer/slc3/doLogin", .enrol) { exchange in
      let form = try await exchange.form()
      let cookie = exchange.cookie(Self.cookieName) ?? ""
      let name = exchange.sandbox.change { $0.enrolments.secureLogins[cookie] }
      if let name {
        guard form["otp"] == Users.oneTimeCode else { return Self.codeField("That code is wrong.") }
        exchange.sandbox.change { $0.enrolments.secureLogins[cookie] = .ready(name.user) }
        return .json(["clientConfig": ["keySize": 2048]])
      }
      guard let user = form["username"], let password = form["password"] else {
        return Self.nameFields("")
      }
      guard let person = exchange.sandbox.change({ $0.users.signIn(user, password) }) else {
        return Self.nameFields("User name or password is wrong.")
      }
      let session = Secret.make()
      exchange.sandbox.change { $0.enrolments.secureLogins[session] = .needsCode(person.name) }
      return Self.codeField("").with(
        .setCookie, "\(Self.cookieName)=\(session); Path=/SecureLoginServer; Secure; HttpOnly")
    }
    post("/SecureLoginServer/slc2/getCertificate", .enrol) { exchange in
      let cookie = exchange.cookie(Self.cookieName) ?? ""
      let login = exchange.sandbox.change { $0.enrolments.secureLogins.removeValue(forKey: cookie) }
      guard case .ready? = login else {
        return .text("not authenticated", status: .unauthorized)
      }
      let body = try exchange.body(1 << 16)
      let chain = try Enrolment(exchange: exchange, service: "sls").issue(body)
      return Response.bytes(PKCS7.encode(chain), type: "application/pkcs7-mime")
    }
  }

  private static let cookieName = "SLS_SESSION"

  private static func nameFields(_ message: String) -> Response {
    .json([
      "clientMessage": .string(message), "messageType": "none",
      "inputFields": [
        ["fieldName": "username", "prompt": "User name", "type": "plain"],
        ["fieldName": "password", "prompt": "Password", "type": "hidden"],
      ],
    ])
  }

  private static func codeField(_ message: String) -> Response {
    .json([
      "clientMessage": .string(message), "messageType": "none",
      "inputFields": [["fieldName": "otp", "prompt": "One-time code", "type": "hidden"]],
    ])
  }
}

/// How far a login at the Secure Login Server is.
enum SecureLogin: Sendable {
  case needsCode(String)
  case ready(String)

  var user: String {
    switch self {
    case .needsCode(let user), .ready(let user): user
    }
  }
}
