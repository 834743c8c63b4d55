import JSON
import Pinning
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import SDKCore

@Suite("reports of pin mismatches")
struct PinReporterTests {
  private static let url = "https://reports.test/pins"

  private static func failure(_ host: String = "api.test") throws -> PinFailure {
    let key = PinnedKey(pin: Pin(key: [1]), role: .leaf)
    let set = try #require(PinSet(host: "api.test", includesSubdomains: true, keys: [key]))
    return PinFailure(
      PinMismatch(host: host, chain: [], pinned: set.keys), port: 8443, set: set,
      certificates: [], isEnforced: true)
  }

  private static func profile(_ folder: TemporaryFolder) throws -> Profile {
    var profile = try Profile(name: try ProfileName("work"))
    try profile.set("issuer", to: "https://id.test")
    try profile.set("pinReportURL", to: .string(url))
    try profile.set("pinReportFile", to: .string(folder.file("reports")))
    return profile
  }

  @Test("are written and sent once for each failure, as TrustKit does")
  func once() async throws {
    let folder = try TemporaryFolder()
    let transport = FakeTransport([Self.url: [.status(204)]])
    let warnings = Mutex<[String]>([])
    let reporter = PinReporter(program: "app", version: "1.2", limit: .seconds(600)) { text in
      warnings.withLock { $0.append(text) }
    }
    for host in ["api.test", "a.api.test", "api.test"] {
      reporter.report(
        try Self.failure(host), of: try Self.profile(folder), at: Timestamp(1_800_000_000),
        over: { transport })
    }
    await reporter.finish()
    #expect(transport.sent.count == 2)
    let lines = try folder.text(of: "reports").split(separator: "\n").map(String.init)
    #expect(Set(lines) == Set(transport.sent.map { String($0.body.dropLast()) }))
    #expect(
      try JSON(parsing: lines[0]) == [
        "app-bundle-id": "app", "app-version": "1.2", "app-vendor-id": "work",
        "app-platform": "LINUX", "app-platform-version": "", "trustkit-version": "",
        "hostname": "api.test", "port": 8443, "noted-hostname": "api.test",
        "include-subdomains": true, "enforce-pinning": true,
        "validated-certificate-chain": [],
        "known-pins": .array([.string("pin-sha256=\"\(Pin(key: [1]).base64)\"")]),
        "validation-result": 1, "date-time": "2027-01-15T08:00:00Z",
      ])
    #expect(warnings.withLock { $0 }.isEmpty)
  }

  @Test("that cannot be written or sent cause a warning, and stop nothing")
  func failures() async throws {
    let folder = try TemporaryFolder()
    var profile = try Self.profile(folder)
    try profile.set("pinReportFile", to: .string("/nonexistent/reports"))
    let transport = FakeTransport([Self.url: [.status(500)]])
    let warnings = Mutex<[String]>([])
    let reporter = PinReporter(program: "app", version: "1", limit: .seconds(600)) { text in
      warnings.withLock { $0.append(text) }
    }
    reporter.report(
      try Self.failure(), of: profile, at: Timestamp(0), over: { transport })
    await reporter.finish()
    let told = warnings.withLock { $0 }
    #expect(told.count == 2)
    #expect(told.first?.hasPrefix("could not write the report of the pin failure: ") == true)
    #expect(told.last == "the server of pin reports, reports.test, returned 500")
  }
}
