import Dispatch
import Foundation
import TestSupport

@testable import OpenSSL

/// SoftHSM behind pkcs11-spy, which writes down each call of the module.
@Suite("Keys in security tokens", .serialized)
struct SecurityTokenKeysTests {
  private static let spy = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/pkcs11-spy.so" }
    .first { FileManager.default.fileExists(atPath: $0) }

  /// One process has one module, which opens its log once: all in one test.
  @Test(
    "block nobody else, get no empty PIN, and try a wrong one once",
    .enabled(if: SoftHSM.isExpected, "needs SoftHSM and OpenSC"))
  func calls() async throws {
    let module = try #require(Self.spy)
    let token = try SoftHSM("spied")
    try token.makeKey("key", id: "01")
    let tool = token.tool
    try tool.run("mkfifo calls")
    setenv("SOFTHSM2_CONF", token.configuration, 1)
    setenv("PKCS11SPY", SoftHSM.module, 1)
    setenv("PKCS11SPY_OUTPUT", tool.path("calls"), 1)
    let uri = try PKCS11URI("pkcs11:token=spied;object=key")
    let unknown = try PKCS11URI("pkcs11:token=spied;object=other")
    @Sendable func open(
      _ pin: SecurityTokenPIN?, isUnknown: Bool = false
    ) -> Result<SecurityTokenKey, SecurityTokenError> {
      Result { () throws(SecurityTokenError) in
        try SecurityTokenKeys.open(isUnknown ? unknown : uri, module: module, pin: pin)
      }
    }

    // The module opens its log, and waits for somebody who reads it.
    async let first = Self.onThread { open(nil) }
    let other = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = SecurityTokenKeys.opened("another")
      other.signal()
    }
    let isFree = await Self.onThread { other.wait(timeout: .now() + 10) == .success }
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: "/bin/sh")
    reader.arguments = ["-c", "cat '\(tool.path("calls"))' > '\(tool.path("log"))'"]
    try reader.run()
    #expect(isFree, "who looks for an opened key waits for a login")

    let result = await first
    guard case .failure(.needsPIN(let info)) = result else {
      throw Unmet("the first call needs no PIN: \(result)")
    }
    #expect(info.refusals == 0)
    guard case .failure(.needsPIN) = await Self.onThread({ open(SecurityTokenPIN([], for: info)) })
    else { throw Unmet("an empty PIN is a PIN") }

    // Two that have the same wrong PIN.
    let wrong = SecurityTokenPIN(Array("000000".utf8), for: info)
    async let one = Self.onThread { open(wrong) }
    async let two = Self.onThread { open(wrong) }
    let failures = await [one, two].compactMap { result -> SecurityTokenError? in
      if case .failure(let error) = result { error } else { nil }
    }
    #expect(failures.contains { if case .wrongPIN = $0 { true } else { false } })
    let asked = failures.compactMap { error -> SecurityTokenInfo? in
      if case .needsPIN(let info) = error { info } else { nil }
    }
    #expect(asked.map(\.refusals) == [1])
    #expect(asked.allSatisfy { $0.hasWrongPIN })
    let logins = try Self.logins(tool)
    #expect(logins == ["6"])

    // After a login in this process the module asks for no other, and gets no empty PIN.
    _ = try SecurityTokenQuery(uri, module).find(Array(SoftHSM.pin.utf8))
    let key = try open(nil).get()
    #expect(try key.key.publicKey.kind == .ec(.p256))
    #expect(SecurityTokenKeys.opened(uri.description) === key.key)
    #expect(try open(nil).get().key === key.key)
    #expect(try !Self.logins(tool).contains("0"))

    // For a key that not every OpenSSL can use, the right PIN is not asked for again.
    try token.makeKey("other", curve: "edwards25519", id: "02")
    let pin = SecurityTokenPIN(Array(SoftHSM.pin.utf8), for: info)
    if case .failure(.needsPIN) = open(pin, isUnknown: true) { Issue.record("it is asked for") }

    // What libcurl does when it is opened later.
    let library = dlopen("libcrypto.so.3", RTLD_NOW)
    if let register = dlsym(library, "ENGINE_register_all_complete") {
      _ = unsafeBitCast(register, to: (@convention(c) () -> CInt).self)()
    }
    #expect(try PrivateKey.generate(.ec(.p256)).publicKey.parameters != nil)
  }

  /// How many bytes the PIN of each login had.
  private static func logins(_ tool: ForeignTool) throws -> [String] {
    let lines = String(decoding: try tool.read("log"), as: UTF8.self).split(separator: "\n")
    let starts = lines.indices.filter { lines[$0].contains(": C_Login") }
    return starts.compactMap { start in
      // As in `[in] pPin[ulPinLen] 0x7f5c0c0b40 / 6`.
      lines[start...].first { $0.contains("pPin[") }?.split(separator: " ").last.map(String.init)
    }
  }

  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}
