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
    // Usually it is ready, and no other thread is needed.
    if try Poll.wait(&entries, timeout: .zero) > 0 { return !Task.isCancelled }
    return try await BackgroundThread.run(wrapping: { $0 }) { (wake) throws(SystemError) in
      var entries = [Poll.Entry(wake.descriptor, .read), Poll.Entry(descriptor, .read)]
      let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      return try Poll.wait(&entries, timeout: left) > 0 && entries[0].ready.isEmpty
    }
  }
}
