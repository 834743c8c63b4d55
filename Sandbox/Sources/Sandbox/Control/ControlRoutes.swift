import Glibc
import Hummingbird

/// What `status`, `reset`, `fault` and `rotate` ask of a running sandbox, over a socket in its
/// own directory: whoever may enter the directory may give orders.
struct ControlRoutes {
  let sandbox: Sandbox
  let directory: StateDirectory
  let pins: [String]
  let router = Router<BasicRequestContext>()

  init(sandbox: Sandbox, directory: StateDirectory, pins: [String]) {
    self.sandbox = sandbox
    self.directory = directory
    self.pins = pins
    let facts = facts
    router.get("status") { _, _ in Response.json(status(of: sandbox, facts)) }
    router.get("faults") { _, _ in Response.json(sandbox.change { $0.faults.json }) }
    router.post("reset") { _, _ in
      try sandbox.reset()
      return Response.json(["reset": true])
    }
    router.post("rotate") { _, _ in
      try sandbox.change { try $0.keys.rotate() }
      return Response.json(["rotated": true])
    }
    router.post("revoke") { request, _ in
      let serial = Form(decoding: request.uri.query ?? "")["serial"]
      let count = sandbox.change { $0.enrolments.revoke(serial) }
      return Response.json(["revoked": .int(count)])
    }
    router.post("postpone") { request, _ in
      let count = Form(decoding: request.uri.query ?? "")["times"].flatMap { Int($0) } ?? 1
      sandbox.change { $0.enrolments.waits = count }
      return Response.json(["postponed": .int(count)])
    }
    router.post("fido") { request, _ in
      FIDOControl(sandbox: sandbox).answer(Form(decoding: request.uri.query ?? ""))
    }
    router.post("clear") { _, _ in
      sandbox.change { $0.faults.clear() }
      return Response.json(["cleared": true])
    }
    router.post("arm") { request, _ in
      let form = Form(decoding: request.uri.query ?? "")
      guard let fault = form["fault"].flatMap(Fault.init(rawValue:)) else {
        return Response.json(["error": "unknown fault"], status: .badRequest)
      }
      let times = form["times"].flatMap { Int($0) } ?? 1
      let endpoint = form["on"].flatMap(Endpoint.init(rawValue:))
      sandbox.change { $0.faults.arm(fault, times: times == 0 ? nil : times, on: endpoint) }
      return Response.json(["armed": .string(fault.rawValue)])
    }
  }

  private var facts: [String: JSON] {
    [
      "running": true, "pid": .int(Int(getpid())), "directory": .string(directory.path),
      "caFile": .string(directory.file(.authority)), "pins": .list(pins),
      "initialAccessToken": .string(ClientRegistry.initialAccessToken),
      "users": .array(
        Users.first.map { ["name": .string($0.name), "password": .string($0.password)] }),
    ]
  }
}

private func status(of sandbox: Sandbox, _ facts: [String: JSON]) -> JSON {
  var members = facts
  members["port"] = .int(sandbox.port)
  members["issuer"] = .string(sandbox.issuer)
  members["mtlsPort"] = .int(sandbox.mutualPort)
  members["mtlsURL"] = .string(sandbox.mutualURL)
  members["gateways"] = .object(
    Dictionary(
      uniqueKeysWithValues: Gateway.allCases.map { ($0.rawValue, .string(sandbox.url(of: $0))) }))
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
