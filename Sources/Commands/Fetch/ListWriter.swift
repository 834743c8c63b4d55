import HTTP
import JSON

/// Writes the pages of a list: one after the other, or the elements of all of them as one array.
struct ListWriter {
  private let body: BodyWriter
  private let isArray: Bool
  private var hasElement = false
  private var hasBegun = false
  /// The last byte of the page before; `nil` if it was empty.
  private var lastByte: UInt8?

  init(_ body: BodyWriter, isArray: Bool) {
    self.body = body
    self.isArray = isArray
  }

  mutating func write(_ page: HTTPResponse, number: Int) throws {
    if isArray { return try write(elementsOf: page, number: number) }
    // A page begins on a line of its own.
    if let lastByte, lastByte != 0x0A { try write([0x0A]) }
    try begin(page)
    try write(page.body)
    lastByte = page.body.last
  }

  private mutating func write(elementsOf page: HTTPResponse, number: Int) throws {
    let document: JSON
    do { document = try JSON(parsing: page.body) } catch {
      throw Failure(.malformedResponse, "could not write page \(number): it is not JSON: \(error)")
    }
    if !hasBegun { try begin(page, text: "[") }
    for element in document.array ?? [document] {
      try write(Array(((hasElement ? ",\n" : "\n") + element.serialized()).utf8))
      hasElement = true
    }
  }

  /// Ends the array.
  mutating func end() throws {
    if isArray, hasBegun { try write(Array((hasElement ? "\n]\n" : "]\n").utf8)) }
  }

  private mutating func begin(_ page: HTTPResponse, text: String = "") throws {
    guard body.begin(page) else { throw body.failure ?? .interruptedOutput }
    hasBegun = true
    try write(Array(text.utf8))
  }

  private func write(_ bytes: [UInt8]) throws {
    guard bytes.isEmpty || bytes.withUnsafeBytes({ body.write($0) }) else {
      throw body.failure ?? .interruptedOutput
    }
  }
}

extension Failure {
  fileprivate static let interruptedOutput = Failure(.outputFailed, "could not write the output")
}
