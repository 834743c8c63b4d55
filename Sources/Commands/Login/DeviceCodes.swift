import HTTP
import OAuth
import POSIX
import SDKCore

/// Shows a person what to do on another device.
struct DeviceCodes {
  let context: Context

  func present(_ authorization: DeviceAuthorization) async {
    if let picture = await picture(of: authorization) { context.errors.write(picture) }
    context.warn("on any device, open this URL and enter the code \(authorization.userCode):")
    context.warn(url: authorization.verificationURI)
    if let uri = authorization.completeURI {
      context.warn("or open this one, which has the code in it:")
      context.warn(url: uri)
    }
    context.note("waiting for the other device")
  }

  /// A QR code of the address, where a person can see one and a program can draw it.
  private func picture(of authorization: DeviceAuthorization) async -> [UInt8]? {
    guard context.terminal.isTerminal(.errors),
      let program = Spawn.find("qrencode", in: context.environment)
    else { return nil }
    let address = (authorization.completeURI ?? authorization.verificationURI).description
    let drawn = try? await Spawn.run(
      program, ["-t", "UTF8", "-o", "-"], environment: context.environment.forHelpers,
      input: Array(address.utf8), limit: 1 << 16, timeout: .seconds(5))
    return drawn.flatMap { $0.status.isSuccess ? $0.output : nil }
  }
}
