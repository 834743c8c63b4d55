import JSON

/// The registration of a profile on disk: `registration.json`, mode 0600.
struct RegistrationStore: Sendable {
  private let path: String

  init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.state(of: profile) + "/registration.json"
  }

  func load() throws(SDKError) -> Registration? {
    guard let document = try StoreDocument.read(path, .secret) else { return nil }
    guard let issuer = document.members["issuer"]?.string,
      let source = document.members["source"]?.string.flatMap(Registration.Source.init),
      let client = document.members["client"]?.object, client["client_id"]?.string != nil
    else {
      throw SDKError(
        .invalidConfiguration,
        "could not read '\(path)': 'issuer', 'source' or 'client.client_id' is missing")
    }
    return Registration(
      issuer: issuer, source: source, obtained: document.members["obtained"]?.int ?? 0,
      client: client)
  }

  func save(_ registration: Registration) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    document.members["issuer"] = .string(registration.issuer)
    document.members["source"] = .string(registration.source.rawValue)
    document.members["obtained"] = .int(registration.obtained)
    document.members["client"] = .object(registration.client)
    try document.write()
  }

  func proveWritable() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).proveWritable()
  }

  func remove() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).remove()
  }
}
