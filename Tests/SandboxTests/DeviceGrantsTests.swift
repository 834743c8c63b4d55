import Testing

@testable import Sandbox

@Suite("A device grant goes from pending to one answer")
struct DeviceGrantsTests {
  static func started() -> (DeviceGrants, deviceCode: String, userCode: String) {
    var grants = DeviceGrants()
    let codes = grants.start(
      clientID: "tv", scopes: ["read"], lifetime: 600, interval: 5, now: 1_000)
    return (grants, codes.deviceCode, codes.userCode)
  }

  static func error(
    _ grants: inout DeviceGrants, _ deviceCode: String, client: String = "tv", now: Int
  ) -> String? {
    do throws(OAuthError) {
      _ = try grants.poll(deviceCode: deviceCode, clientID: client, now: now)
      return nil
    } catch { return error.code }
  }

  @Test("polling too soon is answered slow_down, and the interval grows by five seconds")
  func slowsDown() {
    var (grants, code, _) = Self.started()
    let polls: [(now: Int, error: String)] = [
      (1_000, "authorization_pending"), (1_004, "slow_down"), (1_013, "slow_down"),
      (1_028, "authorization_pending"), (1_043, "authorization_pending"),
    ]
    for poll in polls { #expect(Self.error(&grants, code, now: poll.now) == poll.error) }
  }

  @Test("a code is found however the person types it, until it is answered or expires")
  func findsTypedCodes() {
    var (grants, _, userCode) = Self.started()
    let bare = userCode.filter { $0 != "-" }
    for typed in [userCode, bare, userCode.lowercased(), " \(bare) "] {
      #expect(grants.pending(userCode: typed, now: 1_599)?.clientID == "tv")
    }
    #expect(grants.pending(userCode: "AAAA-AAAA", now: 1_000) == nil)
    #expect(grants.pending(userCode: userCode, now: 1_600) == nil)
    grants.answer(userCode: userCode, with: .denied)
    #expect(grants.pending(userCode: userCode, now: 1_000) == nil)
  }

  @Test("a refusal and the end of time have errors of their own")
  func endsBadly() {
    var (grants, code, userCode) = Self.started()
    #expect(Self.error(&grants, code, client: "other", now: 1_000) == "invalid_grant")
    #expect(Self.error(&grants, code, now: 1_600) == "expired_token")
    grants.answer(userCode: userCode, with: .denied)
    #expect(Self.error(&grants, code, now: 1_001) == "access_denied")
  }
}
