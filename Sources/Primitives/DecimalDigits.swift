extension [UInt8] {
  /// Appends the decimal digits of a number, with zeros before them if they are fewer than `count`.
  package mutating func append(decimal number: UInt64, atLeast count: Int = 1) {
    if number >= 10 || count > 1 { append(decimal: number / 10, atLeast: count - 1) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
