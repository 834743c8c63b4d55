import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore

/// The sockets of a running sandbox: TLS and mutual TLS on both loopback addresses, and the control
/// socket.
struct Listeners: Sendable {
  let sandbox: Sandbox
  let tls: TLSSetup
  let log: AccessLog
  let directory: StateDirectory
  let pins: [String]

  /// Opens every socket and returns once all of them listen; they serve until the process ends.
  func open(port: Int, mutualPort: Int?) async throws(Failure) {
    sandbox.listen(on: try await listen(port))
    sandbox.listen(onMutual: try await listenMutually(mutualPort))
    for gateway in Gateway.allCases {
      sandbox.listen(on: gateway, try await listen(0, isMutual: true, gateway))
    }
    let control = ControlRoutes(sandbox: sandbox, directory: directory, pins: pins).router
    do {
      _ = try await launch { running in
        Application(
          router: control,
          configuration: .init(
            address: .unixDomainSocket(path: StateDirectory.File.control.rawValue)),
          onServerRunning: running, logger: Self.silence)
      }
    } catch {
      throw Failure("could not open the control socket: \(error)", exit: .store)
    }
  }

  /// The port that was asked for; else the next one if it is free, or any.
  private func listenMutually(_ asked: Int?) async throws(Failure) -> Int {
    if let asked { return try await listen(asked, isMutual: true) }
    do throws(Failure) {
      return try await listen(sandbox.port < 65_535 ? sandbox.port + 1 : 0, isMutual: true)
    } catch {
      return try await listen(0, isMutual: true)
    }
  }

  private func listen(
    _ asked: Int, isMutual: Bool = false, _ gateway: Gateway? = nil
  ) async throws(Failure) -> Int {
    let port = try await listen(
      on: .hostname("127.0.0.1", port: asked), asked, isMutual, gateway)
    if Self.hasIPv6Loopback {
      _ = try await listen(on: .hostname("::1", port: port), port, isMutual, gateway)
    }
    return port
  }

  private func listen(
    on address: BindAddress, _ port: Int, _ isMutual: Bool, _ gateway: Gateway?
  ) async throws(Failure) -> Int {
    let responder = PayloadResponder(
      base: routes(isMutual: isMutual).buildResponder(), sandbox: sandbox)
    do {
      let server = try HTTPServerBuilder.tls(
        .http1(
          configuration: .init(
            additionalChannelHandlers: [SkewedDate()], idleTimeout: .seconds(120))),
        configuration: try gateway.map { try tls.configuration(for: sandbox, $0) }
          ?? tls.configuration(for: sandbox, asksForCertificate: isMutual))
      return try await launch { running in
        Application(
          responder: responder, server: server, configuration: .init(address: address),
          onServerRunning: running, logger: Self.silence)
      }
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw Failure(
        "could not listen on port \(port): another program has it",
        hint: Start.otherPortHint, exit: .network)
    } catch let error as IOError {
      throw Failure(
        "could not listen on port \(port): \(systemText(error.errnoCode))",
        hint: Start.otherPortHint, exit: .network)
    } catch {
      throw Failure("could not listen on port \(port): \(error)", exit: .network)
    }
  }

  private func routes(isMutual: Bool) -> Router<SandboxContext> {
    let routes = Routes(sandbox: sandbox, log: log, isMutual: isMutual)
    routes.router.add(middleware: UnknownPage())
    routes.addDiscovery()
    routes.addRegistration()
    routes.addAuthorization()
    routes.addTokenEndpoint()
    routes.addDeviceAuthorization()
    routes.addIntrospection()
    routes.addUserInfo()
    routes.addEndSession()
    routes.addSignIn()
    routes.addSecondFactor()
    routes.addAccounts()
    routes.addDevicePages()
    routes.addLooks()
    routes.addGateway()
    routes.addProbes()
    routes.addBytes()
    routes.addStepUp()
    routes.addSessionResources()
    routes.addFormLogin()
    routes.addEST()
    routes.addIdentity()
    routes.addCertificateService()
    routes.addSecureLogin()
    routes.addPasswordLogin()
    routes.addUAFServer()
    routes.addFIDOTokens()
    routes.addDispatchTargets()
    return routes.router
  }

  /// Starts an application and waits until it listens or fails.
  private func launch<Responder: HTTPResponder>(
    _ make: (@escaping @Sendable (any Channel) async -> Void) -> Application<Responder>
  ) async throws -> Int {
    let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Int, any Error>.self)
    let application = make { channel in
      outcome.yield(.success(channel.localAddress?.port ?? 0))
    }
    Task.detached {
      do { try await application.run() } catch { outcome.yield(.failure(error)) }
      outcome.finish()
    }
    for await first in outcomes { return try first.get() }
    throw Failure("the server ended at once", exit: .network)
  }

  private static var hasIPv6Loopback: Bool {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }

  /// The sandbox keeps its own log.
  private static var silence: Logger {
    Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() }
  }
}
