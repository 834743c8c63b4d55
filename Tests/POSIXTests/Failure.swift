import POSIX

/// The error that a value throws in place of itself.
func failure<Value: ~Copyable>(
  of value: @autoclosure () throws(SystemError) -> Value
) -> SystemError? {
  do throws(SystemError) {
    _ = try value()
    return nil
  } catch {
    return error
  }
}

/// The error with which a body ends.
func failure<Failure: Error>(_ body: () async throws(Failure) -> Void) async -> Failure? {
  do throws(Failure) {
    try await body()
    return nil
  } catch {
    return error
  }
}
