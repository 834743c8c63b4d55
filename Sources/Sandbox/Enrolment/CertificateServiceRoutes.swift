import JSON
import Primitives

/// SAP's certificate service as far as it is public: attributes, request, retirement.
extension Routes {
  mutating func addCertificateService() {
    get("/certificate-service/attributes", .enrol) { exchange in
      let person = try Enrolment(exchange: exchange, service: "sap").person()
      return .json([
        "subject": .string("CN=\(person.name),O=sdkctl sandbox"),
        "subjectAltNames": [.string("email:\(person.email)")], "keySize": 2048,
      ])
    }
    post("/certificate-service/request", .enrol) { exchange in
      let enrolment = Enrolment(exchange: exchange, service: "sap")
      let person = try enrolment.person()
      let body = String(decoding: try exchange.body(1 << 16), as: UTF8.self)
      guard let der = Base64.decode(body) else {
        throw OAuthError.invalidRequest("the body is not base64")
      }
      let chain = try enrolment.issue(der, for: person.name)
      return Response.bytes(
        Array(Base64.encode(PKCS7.encode(chain)).utf8), type: "application/pkcs7-mime")
    }
    post("/certificate-service/retire", .enrol) { exchange in
      _ = try Enrolment(exchange: exchange, service: "sap").person()
      let body = String(decoding: try exchange.body(1 << 16), as: UTF8.self)
      guard let der = Base64.decode(body), let certificate = try? Certificate(der: der)
      else { throw OAuthError.invalidRequest("the body is not a certificate") }
      exchange.sandbox.change { _ = $0.enrolments.revoke("\(certificate.serialNumber)") }
      return .json(["retired": true])
    }
  }
}
