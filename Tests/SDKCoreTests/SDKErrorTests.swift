import CoreTestSupport

@testable import SDKCore

@Suite("An error")
struct SDKErrorTests {
  @Test("prints its message")
  func text() {
    let error = SDKError(.network, "could not get the page: no route", details: ["line"])
    #expect("\(error)" == "could not get the page: no route")
    #expect("\(TransportError(.timeout, "too slow", host: "h"))" == "too slow")
  }

  @Test("with another message is a second error")
  func copies() {
    let error = SDKError(.network, cause: "no route", details: ["line"], subject: "h")
    var named = error.during("could not get the page")
    named.members.isAboutHost = true
    #expect(error.message == "no route")
    #expect(!error.isAboutHost)
    #expect(named.message == "could not get the page: no route")
    #expect(named.during("could not do more") == named)
    #expect(named.members.isAboutHost)
    #expect((named.code, named.details, named.subject) == (.network, ["line"], "h"))
    #expect(error != named)
    #expect(error == SDKError(.network, cause: "no route", details: ["line"], subject: "h"))
  }

  @Test("names a part of its action before its cause, and not before a whole message")
  func naming() {
    let cause = SDKError(.network, cause: "no route")
    #expect(cause.naming("the page").message == "the page: no route")
    let whole = cause.during("could not get it")
    #expect(whole.naming("the page") == whole)
  }

  @Test("asks for a login of the user only if that is what helps")
  func userLogin() {
    func login(_ code: SDKError.Code, _ slot: CredentialSlot) -> Remedy.Login? {
      SDKError(code, cause: "c", remedy: .login(Remedy.Login(slot))).userLogin
    }
    #expect(login(.notAuthenticated, .user)?.slot == .user)
    #expect(login(.sessionExpired, .user) != nil)
    #expect(login(.refused, .user) == nil)
    #expect(login(.notAuthenticated, .implicit) == nil)
    #expect(SDKError(.network, cause: "c", resource: .userDeregistered).remedy == nil)
  }

  @Test("of another kind gets a code, the action and its cause")
  func translation() {
    func error(_ cause: any Error, _ action: String? = "could not do it") -> SDKError? {
      do { try attempt(action, as: .store) { throw cause } } catch { return error }
      return nil
    }
    let file = SystemError("open", path: "/f", code: 2, message: "absent")
    #expect(error(file)?.message == "could not do it: /f: absent")
    #expect(error(file, "could not read '/f'")?.message == "could not read '/f': absent")
    #expect(error(file)?.code == .store)
    let unsafe = SystemError("open", code: 0, kind: .unsafe, message: "others can read it")
    #expect(error(unsafe)?.code == .storePermissions)
    let password = CryptoError("open it", reasons: ["a", "b"], kind: .wrongPassword)
    #expect(error(password, nil)?.message == "a, b")
    #expect(error(password)?.code == .wrongPassword)
    #expect(
      error(CryptoError("open it", reasons: []))?.message == "could not do it: could not open it")
    #expect(error(CancellationError())?.code == .cancelled)
    #expect(
      error(TransportError(.timeout, "slow", host: "h"))?.message == "could not do it: h: slow")
    let own = SDKError(.busy, "could not wait: other")
    #expect(error(own) == own)
  }
}
