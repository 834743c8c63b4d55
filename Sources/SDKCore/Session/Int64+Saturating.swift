extension Int64 {
  /// The sum, or the nearest number that there is: stored and typed numbers may be any.
  func saturatingSum(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    guard overflows else { return sum }
    return other < 0 ? .min : .max
  }
}
