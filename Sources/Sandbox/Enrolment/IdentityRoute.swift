import JSON

/// A resource for who shows a certificate.
extension Routes {
  mutating func addIdentity() {
    get("/resources/identity", .resources) { exchange in
      guard exchange.showsIdentity, let shown = exchange.connection.certificate else {
        return Response.json(
          ["error": "certificate_required"], status: .forbidden)
      }
      return .json([
        "subject": .string("\(shown.certificate.subject)"),
        "serial": .string("\(shown.certificate.serialNumber)"),
        "thumbprint": .string(shown.thumbprint),
      ])
    }
  }
}
