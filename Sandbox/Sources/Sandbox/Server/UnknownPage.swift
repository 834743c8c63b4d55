import HTTPTypes
import Hummingbird

/// Returns a page to a browser that requests an unknown address; programs get the status alone.
struct UnknownPage: RouterMiddleware {
  func handle(
    _ request: Request, context: SandboxContext,
    next: (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      guard request.headers[.accept]?.contains("text/html") == true else { throw error }
      return Pages.failure(
        "There is no such page", "The sandbox has nothing at this address.", status: .notFound)
    }
  }
}
