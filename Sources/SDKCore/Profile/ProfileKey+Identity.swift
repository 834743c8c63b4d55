import JSON

/// The keys about client certificates and the services that issue them.
extension ProfileKey {
  static let identityKeys: [ProfileKey] = [
    ProfileKey(
      name: "applicationID", kind: .text,
      summary: "The application at SAP services; sent as X-SMP-APPID")
  ]
}

extension Profile {
  /// The application at SAP's mobile services, which requests to the profile's hosts name.
  public var applicationID: String? { self["applicationID"]?.string }
}
