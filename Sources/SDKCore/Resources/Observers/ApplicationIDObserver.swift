import HTTP

/// Names the application to SAP's mobile services (`X-SMP-APPID`).
///
/// Only the hosts that may get the profile's token get the name.
final class ApplicationIDObserver: RequestObserver {
  private let applicationID: String
  private let profile: Profile

  init?(_ profile: Profile) {
    guard let applicationID = profile.applicationID else { return nil }
    self.applicationID = applicationID
    self.profile = profile
  }

  func willSend(_ request: inout ObservedRequest) async throws(SDKError) {
    guard profile.allowsCredential(to: request.url),
      !request.http.fields.contains(Profile.applicationIDField)
    else { return }
    try request.set(Profile.applicationIDField, applicationID)
  }
}
