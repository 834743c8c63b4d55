import HTTP
import Testing

/// Requests and responses are values, although their members are stored in an object.
@Suite("A changed copy")
struct CopyTests {
  /// A change, and what it changes as text.
  struct Change<Value: Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout Value) -> Void
    let read: @Sendable (Value) -> String

    init<Member: Sendable>(
      _ name: String, _ path: any WritableKeyPath<Value, Member> & Sendable, _ value: Member
    ) {
      testDescription = name
      apply = { $0[keyPath: path] = value }
      read = { "\($0[keyPath: path])" }
    }
  }

  static func ofRequests() throws -> [Change<HTTPRequest>] {
    let certificate = ClientCertificate(chain: [1], privateKey: [2])
    return [
      Change("method", \.method, .put), Change("url", \.url, try HTTPURL("https://h/b")),
      Change("fields", \.fields, HTTPFields([try HTTPField("x-a", "1")])),
      Change("omittedFields", \.omittedFields, ["Accept"]),
      Change("body", \.body, .bytes([1])), Change("timeout", \.timeout, .seconds(3)),
      Change("clientCertificate", \.clientCertificate, certificate),
      Change("stopsForCertificate", \.stopsForCertificate, true),
      Change("gate", \.gate, TransferGate()),
      Change("followsRedirects", \.followsRedirects, false),
      Change("decodesContent", \.decodesContent, true),
      Change("describesCertificates", \.describesCertificates, true),
    ]
  }

  static func ofResponses() throws -> [Change<HTTPResponse>] {
    var metrics = TransferMetrics()
    metrics.connections = 7
    return [
      Change("status", \.status, 404), Change("version", \.version, "HTTP/2"),
      Change("reason", \.reason, "OK"), Change("body", \.body, [1]),
      Change("fields", \.fields, HTTPFields([try HTTPField("x-a", "1")])),
      Change("certificateRequest", \.certificateRequest, ClientCertificateRefusal(.closed)),
      Change("clientIdentity", \.clientIdentity, "me"), Change("metrics", \.metrics, metrics),
      Change("certificates", \.certificates, [["Subject:CN=h"]]),
    ]
  }

  @Test("of a request leaves the other alone", arguments: try ofRequests())
  func requests(change: Change<HTTPRequest>) throws {
    let request = HTTPRequest(.get, try HTTPURL("https://h/a"))
    check(change, among: try Self.ofRequests(), request)
  }

  @Test("of a response leaves the other alone", arguments: try ofResponses())
  func responses(change: Change<HTTPResponse>) throws {
    let response = HTTPResponse(status: 200, url: try HTTPURL("https://h/a"))
    check(change, among: try Self.ofResponses(), response)
  }

  /// Changes one of two copies, and expects that nothing else differs.
  private func check<Value: Sendable>(
    _ change: Change<Value>, among all: [Change<Value>], _ original: Value
  ) {
    let before = all.map { $0.read(original) }
    var copy = original
    change.apply(&copy)
    #expect(all.map { $0.read(original) } == before)
    for (other, value) in zip(all, before) {
      let isChanged = other.read(copy) != value
      #expect(
        isChanged == (other.testDescription == change.testDescription), "\(other.testDescription)")
    }
    // The copy has no other reference now, and is changed where it is.
    var third = copy
    change.apply(&copy)
    all[0].apply(&third)
    #expect(all.map { $0.read(original) } == before)
  }
}
