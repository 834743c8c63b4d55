import Glibc

/// A thread for calls that block, which must not hold a thread of the concurrency pool.
package enum BackgroundThread {
  /// Runs the body on a thread of its own and waits for it without blocking.
  ///
  /// - Throws: what the body throws, or why there is no thread; the body has not run then.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(SystemError) -> Value
  ) async throws(SystemError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, SystemError>, Never>) in
      do throws(SystemError) {
        try start {
          do throws(SystemError) {
            continuation.resume(returning: .success(try body()))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Runs the body on a thread of its own that nobody waits for.
  ///
  /// - Parameters:
  ///   - stackSize: in bytes; `nil` for the usual one.
  ///   - body: what runs on the thread.
  /// - Throws: why there is no thread. The body has not run then: on the caller's thread it
  ///   could block that for ever.
  package static func start(
    stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    _ = try createThread(&attributes, body)
  }
}

/// Starts a thread with these attributes; `nil` for the usual ones.
func createThread(
  _ attributes: UnsafePointer<pthread_attr_t>?, _ body: @escaping @Sendable () -> Void
) throws(SystemError) -> pthread_t {
  let work = Unmanaged.passRetained(Work(body))
  var thread = pthread_t()
  let code = pthread_create(&thread, attributes, runWork, work.toOpaque())
  guard code != 0 else { return thread }
  work.release()
  throw SystemError("pthread_create", code: code)
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body() }
  return nil
}
