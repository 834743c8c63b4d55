import HTTP
import JSON
import POSIX

/// What `status`, `reset`, `fault` and `rotate` ask of a running sandbox, over a socket in its
/// own directory: whoever may enter the directory may give orders.
struct ControlRoutes {
  let sandbox: Sandbox
  let directory: StateDirectory
  let pins: [String]
  private(set) var router = Router()

  init(sandbox: Sandbox, directory: StateDirectory, pins: [String]) {
    self.sandbox = sandbox
    self.directory = directory
    self.pins = pins
    let facts = facts
    on(.get, "status") { _ in Response.json(status(of: sandbox, facts)) }
    on(.get, "faults") { _ in Response.json(sandbox.change { $0.faults.json }) }
    on(.post, "reset") { _ in
      try sandbox.reset()
      return Response.json(["reset": true])
    }
    on(.post, "rotate") { _ in
      try sandbox.change { try $0.keys.rotate() }
      return Response.json(["rotated": true])
    }
    on(.post, "revoke") { request in
      let serial = Form(decoding: request.query ?? "")["serial"]
      let count = sandbox.change { $0.enrolments.revoke(serial) }
      return Response.json(["revoked": .int(count)])
    }
    on(.post, "fido") { request in
      FIDOControl(sandbox: sandbox).answer(Form(decoding: request.query ?? ""))
    }
    on(.post, "clear") { _ in
      sandbox.change { $0.faults.clear() }
      return Response.json(["cleared": true])
    }
    on(.post, "arm") { request in
      let form = Form(decoding: request.query ?? "")
      guard let fault = form["fault"].flatMap(Fault.init(rawValue:)) else {
        return Response.json(["error": "unknown fault"], status: .badRequest)
      }
      let times = form["times"].flatMap { Int($0) } ?? 1
      let endpoint = form["on"].flatMap(Endpoint.init(rawValue:))
      let delay = form["delay"].flatMap { Double($0) }.map { Duration.milliseconds($0) }
      sandbox.change {
        $0.faults.arm(fault, times: times == 0 ? nil : times, on: endpoint, delay: delay)
      }
      return Response.json(["armed": .string(fault.rawValue)])
    }
  }

  private mutating func on(
    _ method: HTTPMethod, _ path: String,
    _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    router.on(path, method: method) { request, _, _ in
      do { return try handler(request) } catch {
        return .json(["error": .string("\(error)")], status: .internalServerError)
      }
    }
  }

  private var facts: JSONObject {
    [
      "running": true, "pid": .int(ProcessName.number), "directory": .string(directory.path),
      "caFile": .string(directory.file(.authority)), "pins": .strings(pins),
      "initialAccessToken": .string(ClientRegistry.initialAccessToken),
      "users": .array(
        Users.first.map { ["name": .string($0.name), "password": .string($0.password)] }),
    ]
  }
}

private func status(of sandbox: Sandbox, _ facts: JSONObject) -> JSON {
  var members = facts
  members["port"] = .int(sandbox.port)
  members["issuer"] = .string(sandbox.issuer)
  members["mtlsPort"] = .int(sandbox.mutualPort)
  members["mtlsURL"] = .string(sandbox.mutualURL)
  members["gateways"] = .object(
    JSONObject(Gateway.allCases.map { ($0.rawValue, .string(sandbox.url(of: $0))) }))
  members["resourceURL"] = .string(sandbox.resourceURL)
  members["fidoURL"] = .string(sandbox.issuer + "/nevisfido")
  sandbox.change { world in
    members["clients"] = .int(world.clients.count)
    members["counts"] = world.counters.json
    members["reuses"] = .int(world.grants.reuses)
    members["enrolments"] = world.enrolments.json
    members["faults"] = world.faults.json
    members["fido"] = world.fido.json
    members["gateway"] = [
      "client_id": .string(ClientRegistry.gatewayID),
      "client_secret": world.clients[ClientRegistry.gatewayID]?.secret.map(JSON.string) ?? .null,
    ]
  }
  return .object(members)
}
