import Glibc

/// Threads for blocking calls, which must not use the threads of Swift's concurrency.
package enum BackgroundThread {
  /// Runs the body on a new thread and waits for it without blocking.
  package static func run<Value: Sendable>(
    takesSignals: Bool = true,
    _ body: @escaping @Sendable () throws(SystemError) -> Value
  ) async throws(SystemError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, SystemError>, Never>) in
      do throws(SystemError) {
        try start(takesSignals: takesSignals) {
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

  /// Runs the body on a new thread and waits for it; if the task is cancelled, its pipe becomes
  /// readable, so that the body ends.
  package static func run<Value: Sendable, Failure: Error>(
    wrapping wrap: (SystemError) -> Failure, takesSignals: Bool = true,
    _ body: @escaping @Sendable (WakePipe) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let wake: WakePipe
    do throws(SystemError) { wake = try WakePipe() } catch { throw wrap(error) }
    let result = await withTaskCancellationHandler { () -> Result<Value, Failure> in
      // The closure of a cancellation handler throws no typed errors.
      do throws(SystemError) {
        return try await run(takesSignals: takesSignals) {
          Result { () throws(Failure) in try body(wake) }
        }
      } catch {
        return .failure(wrap(error))
      }
    } onCancel: {
      wake.signal()
    }
    return try result.get()
  }

  /// Runs the body on a new thread and does not wait for it.
  ///
  /// Without `takesSignals` no signal handler runs on it: a write to a socket or pipe that the other side has
  /// closed is an error, whatever the program does with SIGPIPE. If no thread can be started the body does not
  /// run: on the caller's thread it could block forever.
  package static func start(
    stackSize: Int? = nil, takesSignals: Bool = true, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var (blocked, before) = (sigset_t(), sigset_t())
    if !takesSignals { sigfillset(&blocked) }
    // A thread inherits the signals that its creator blocks.
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, runWork, work.toOpaque())
    guard code != 0 else { return }
    work.release()
    throw SystemError("pthread_create", code: code)
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
