/// The page on which a person enters the code that a device shows (RFC 8628 section 3.3).
extension Routes {
  mutating func addDevicePages() {
    get("/device", .pages) { exchange in
      Pages.deviceCode(typed: exchange.query["user_code"] ?? "")
    }
    post("/device", .pages) { exchange in
      let form = try await exchange.form()
      let typed = form["user_code"] ?? ""
      let request = exchange.sandbox.change {
        $0.devices.pending(userCode: typed, now: exchange.now)
      }
      guard let request else {
        return Pages.deviceCode(typed: typed, error: "No device waits for that code.")
      }
      return SignInSteps(exchange: exchange).begin(.device(userCode: request.userCode))
    }
  }
}
