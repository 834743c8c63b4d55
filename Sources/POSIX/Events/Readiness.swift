/// Waits for descriptors without blocking a thread of Swift's concurrency.
package enum Readiness {
  /// Returns when a read from the descriptor would not wait; `false` if the task is cancelled or the
  /// deadline passes first.
  ///
  /// - Throws: ``SystemError`` if it cannot be waited for.
  package static func wait(
    for descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
  ) async throws(SystemError) -> Bool {
    var entries = [Poll.Entry(descriptor, .read)]
    // Mostly it is ready, and no other thread is needed.
    if try Poll.wait(&entries, timeout: .zero) > 0 { return !Task.isCancelled }
    let wake = try WakePipe()
    let result = await withTaskCancellationHandler {
      await Self.result { () throws(SystemError) in
        var entries = [Poll.Entry(wake.descriptor, .read), Poll.Entry(descriptor, .read)]
        let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
        return try Poll.wait(&entries, timeout: left) > 0 && entries[0].ready.isEmpty
      }
    } onCancel: {
      wake.signal()
    }
    return try result.get()
  }

  /// The closure of a cancellation handler throws no typed errors.
  private static func result(
    _ body: @escaping @Sendable () throws(SystemError) -> Bool
  ) async -> Result<Bool, SystemError> {
    do throws(SystemError) {
      return .success(try await BackgroundThread.run(body))
    } catch {
      return .failure(error)
    }
  }
}
