import POSIX

extension ProfileSession {
  /// Runs to its end even when the task is cancelled; the exchange bounds the time.
  ///
  /// What a server has changed and what is not written here is lost for good.
  func uninterrupted<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let task = Task.detached { () -> Result<Value, SDKError> in
      do throws(SDKError) {
        return .success(try await CriticalSection.run(body))
      } catch {
        return .failure(error)
      }
    }
    return try await task.value.get()
  }
}
