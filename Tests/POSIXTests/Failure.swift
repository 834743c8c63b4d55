/// The error that a body throws.
func failure<Failure: Error>(of body: () throws(Failure) -> Void) -> Failure? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error
  }
}
