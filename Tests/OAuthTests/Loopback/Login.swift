import TestSupport

@testable import OAuth

/// A listener that waits for the state `right`.
final class Login: Sendable {
  let listener: LoopbackListener
  private let task: Task<Result<LoopbackRequest, LoopbackError>, Never>

  var port: UInt16 { listener.port }

  init(formPost: Bool = false, limits: LoopbackLimits = LoopbackLimits()) throws {
    let listener = try LoopbackListener.bind(program: "sdkctl", limits: limits)
    self.listener = listener
    task = Task {
      do throws(LoopbackError) {
        return .success(
          try await listener.wait(
            timeout: .seconds(600),
            accept: { $0.split(separator: "&").contains("state=right") }, formPost: formPost))
      } catch {
        return .failure(error)
      }
    }
  }

  deinit { listener.close() }

  func result() async -> Result<LoopbackRequest, LoopbackError> { await task.value }

  func cancel() { task.cancel() }

  /// Gives the right answer; where the browser is sent then.
  func decide() async -> String? {
    await BrowserStub.get(port, "/callback?code=1&state=right")?.fields["location"]
  }
}

/// The error that a body throws.
func failure<Failure: Error>(of body: () throws(Failure) -> Void) -> Failure? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error
  }
}
