import Glibc

/// A thread for calls that block, which must not hold a thread of the concurrency pool.
package enum BackgroundThread {
  /// Runs the body on a thread of its own and waits for it without blocking.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
      start {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Runs the body on a thread of its own that nobody waits for.
  ///
  /// Where no thread can be had, on this one.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    if pthread_create(&thread, nil, runWork, work.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      work.takeRetainedValue().body()
    }
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body() }
  return nil
}
