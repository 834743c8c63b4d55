import JSON
import Testing

@testable import Sandbox

@Suite("Sessions and options of the UAF server")
struct UAFTests {
  @Test("a session ends at its time, and with all others")
  func sessions() {
    var sessions = GatewaySessions()
    let session = GatewaySessions.Session(subject: "user-1", end: 100, usedFIDO: true)
    let (one, other) = (sessions.open(session), sessions.open(session))
    #expect(one != other)
    #expect(sessions.session(one, now: 99)?.usedFIDO == true)
    #expect(sessions.session(one, now: 100) == nil)
    #expect(sessions.session("x", now: 1) == nil)
    let claims: JSON = ["sub": "user-1", "exp": 100, "generation": 0]
    #expect(sessions.session(of: claims, now: 99)?.end == 100)
    #expect(sessions.session(of: claims, now: 100) == nil)
    sessions.end()
    #expect(sessions.session(other, now: 1) == nil)
    #expect(sessions.generation == 1)
  }

  @Test("options take their values, and 'default' undoes them")
  func options() {
    var options = FIDOOptions()
    for (name, value) in [
      ("result", "jwt-field"), ("lifetime", "5"), ("attestation", "loaded"), ("late", "2"),
      ("status", "1500"), ("transaction", "Pay"), ("facets", "a,b"), ("app-id", ""),
      ("accept", "FFFF#0001"),
    ] {
      let isSet = options.set(name, value)
      #expect(isSet, "\(name)")
    }
    #expect(options.json != FIDOOptions().json)
    for name in FIDOOptions.names {
      let isUndone = options.set(name, "default")
      #expect(isUndone, "\(name)")
    }
    #expect(options.json == FIDOOptions().json)
    for (name, value) in [
      ("result", "x"), ("lifetime", "-1"), ("attestation", "x"), ("late", "x"), ("status", "1"),
      ("moon", "1"),
    ] {
      let isSet = options.set(name, value)
      #expect(!isSet, "\(name)")
    }
  }
}
