import Testing

@testable import SDKCore

@Suite("Limits of a session")
struct SessionLimitsTests {
  @Test("end with the deadline, whatever the step")
  func deadline() {
    let limits = SessionLimits(deadline: .now + .seconds(5))
    for step in [limits.exchange, limits.lock, limits.login, limits.remaining ?? .zero] {
      #expect(step > .seconds(3) && step <= .seconds(5))
    }
    let over = SessionLimits(deadline: .now - .seconds(5))
    #expect(
      [over.exchange, over.lock, over.login, over.remaining] == [.zero, .zero, .zero, .zero])
  }

  @Test("are longer for a login, if the deadline is later")
  func login() {
    let limits = SessionLimits(deadline: .now + .seconds(600))
    #expect(limits.login > .seconds(500))
    #expect(limits.exchange == .seconds(30))
    #expect(limits.lock == .seconds(60))
  }

  @Test("are five minutes for a login, and those of one timeout, without a deadline")
  func without() {
    #expect(SessionLimits().login == .seconds(300))
    #expect(SessionLimits().remaining == nil)
    let limits = SessionLimits(.seconds(7))
    #expect(
      [limits.exchange, limits.lock, limits.login] == [.seconds(7), .seconds(7), .seconds(7)])
  }
}
