import HTTP
import Primitives

/// Which handler a request goes to, by method and path.
struct Router: Sendable {
  typealias Handler = @Sendable (Request, Parameters, ShownCertificate?) async -> Response

  private struct Route: Sendable {
    let method: HTTPMethod
    let components: [String]
    let handler: Handler
  }

  /// The routes by their number of components; those without parameters come first.
  private var routes: [Int: [Route]] = [:]

  /// Adds a path, in which `:name` stands for any component.
  mutating func on(_ path: String, method: HTTPMethod, _ handler: @escaping Handler) {
    let components = path.split(separator: "/").map(String.init)
    let route = Route(method: method, components: components, handler: handler)
    if components.contains(where: { $0.hasPrefix(":") }) {
      routes[components.count, default: []].append(route)
    } else {
      routes[components.count, default: []].insert(route, at: 0)
    }
  }

  func respond(to request: Request, _ certificate: ShownCertificate?) async -> Response {
    let given = request.path.split(separator: "/").map(String.init)
    let method = request.method == .head ? .get : request.method
    for route in routes[given.count] ?? [] where route.method == method {
      if let parameters = Parameters(given, route.components) {
        return await route.handler(request, parameters, certificate)
      }
    }
    return unknown(request)
  }

  /// Returns a page to a browser that requests an unknown address; programs get the status alone.
  private func unknown(_ request: Request) -> Response {
    guard request.headers[.accept]?.containsText("text/html") == true else {
      return Response(status: .notFound)
    }
    return Pages.failure(
      "There is no such page", "The sandbox has nothing at this address.", status: .notFound)
  }
}

/// The components of a path that its route does not name.
struct Parameters: Sendable {
  private var values: [String: String] = [:]

  init() {}

  fileprivate init?(_ given: [String], _ components: [String]) {
    for (value, component) in zip(given, components) {
      if component.hasPrefix(":") {
        values[String(component.dropFirst())] = PercentCoding.decode(value, plusIsSpace: false)
      } else if value != component {
        return nil
      }
    }
  }

  func get(_ name: String) -> String? { values[name] }
}
