extension Result {
  /// The result of asynchronous work.
  package init(of work: () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
  }
}

extension TaskLocal {
  /// Runs the work with a value of the variable; its error keeps its type.
  package func with<Result: Sendable, Failure: Error>(
    _ value: Value, _ work: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await withValue(value) { await Swift.Result(of: work) }.get()
  }
}
