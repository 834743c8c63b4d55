import CoreTestSupport
import Glibc

@testable import Checkup
@testable import SDKCore

@Suite("The health of a machine")
struct MachineHealthTests {
  @Test(
    "warns of a umask that lets others write",
    arguments: [(0o022, true), (0o027, true), (0o002, false), (0o020, false)])
  func mask(mask: Int, isSafe: Bool) async {
    await #expect(processExitsWith: .success) { [mask = mask as Int, isSafe = isSafe as Bool] in
      umask(mode_t(mask))
      ProcessSetup.prepare()
      let health = MachineHealth(
        network: .scripted(FakeTransport([:])), environment: Environment.current,
        authorities: AuthorityHealth("/nonexistent", at: World.now), browser: .absent,
        now: World.now)
      let found = try #require(health.findings().first { $0.check == .umask })
      #expect(found.severity == (isSafe ? .ok : .warning))
    }
  }
}
