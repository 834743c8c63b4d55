import HTTPServer
import POSIX

/// The sockets of a running sandbox: TLS and mutual TLS on both loopback addresses, and the control
/// socket.
///
/// They serve until they are closed.
final class Listeners {
  private let sandbox: Sandbox
  private let tls: TLSSetup
  private let log: AccessLog
  private let control: Router
  private var sockets: [SocketOwner] = []
  private var localSocket: LocalSocket?
  private var servers: [WebServer] = []

  private final class SocketOwner {
    let socket: LoopbackSocket
    init(_ socket: consuming LoopbackSocket) { self.socket = socket }
  }

  init(
    sandbox: Sandbox, tls: TLSSetup, log: AccessLog, directory: StateDirectory, pins: [String]
  ) {
    (self.sandbox, self.tls, self.log) = (sandbox, tls, log)
    control = ControlRoutes(sandbox: sandbox, directory: directory, pins: pins).router
  }

  /// Opens every socket and returns once all of them listen.
  func open(port: Int, mutualPort: Int?, in directory: StateDirectory) throws(Failure) {
    sandbox.listen(on: try listen(port))
    sandbox.listen(onMutual: try listenMutually(mutualPort))
    for gateway in Gateway.allCases {
      sandbox.listen(on: gateway, try listen(0, isMutual: true, gateway))
    }
    do {
      let socket = try LocalSocket(StateDirectory.File.control.rawValue, in: directory.path)
      let control = control
      localSocket = socket
      servers.append(
        try WebServer(on: socket.descriptor, tls: nil) { request, _ in
          await control.respond(to: request, nil)
        })
    } catch {
      throw Failure("could not open the control socket: \(Self.cause(error))", exit: .store)
    }
  }

  /// Ends all requests and closes all connections.
  func close() {
    for server in servers { server.stop() }
    servers = []
  }

  /// The port that was asked for; else the next one if it is free, or any.
  private func listenMutually(_ asked: Int?) throws(Failure) -> Int {
    if let asked { return try listen(asked, isMutual: true) }
    do throws(Failure) {
      return try listen(sandbox.port < 65_535 ? sandbox.port + 1 : 0, isMutual: true)
    } catch {
      return try listen(0, isMutual: true)
    }
  }

  private func listen(
    _ asked: Int, isMutual: Bool = false, _ gateway: Gateway? = nil
  ) throws(Failure) -> Int {
    do {
      let port = try serve(
        try LoopbackSocket.listen(.v4, port: UInt16(asked)), isMutual, gateway)
      do {
        _ = try serve(try LoopbackSocket.listen(.v6, port: UInt16(port)), isMutual, gateway)
      } catch let error as SystemError where error.isAddressMissing {
        // This machine does not have ::1.
      }
      return port
    } catch let error as SystemError where error.isAddressInUse {
      throw Failure(
        "could not listen on port \(asked): another program has it", hint: Start.otherPortHint,
        exit: .network)
    } catch {
      throw Failure(
        "could not listen on port \(asked): \(Self.cause(error))", hint: Start.otherPortHint,
        exit: .network)
    }
  }

  private func serve(
    _ socket: consuming LoopbackSocket, _ isMutual: Bool, _ gateway: Gateway?
  ) throws -> Int {
    let port = Int(socket.port)
    let routes = Routes.all(of: sandbox, log: log, isMutual: isMutual)
    let responder = PayloadResponder(base: routes, sandbox: sandbox)
    let owner = SocketOwner(socket)
    sockets.append(owner)
    servers.append(
      try WebServer(
        on: owner.socket.descriptor,
        tls: try tls.server(for: sandbox, port, isMutual: isMutual, gateway)
      ) { request, certificate in await responder.respond(to: request, certificate) })
    return port
  }

  private static func cause(_ error: any Error) -> String {
    (error as? HTTPServerError)?.message ?? (error as? SystemError)?.message ?? "\(error)"
  }
}
