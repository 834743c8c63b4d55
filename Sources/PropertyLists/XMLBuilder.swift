/// Makes a tree of the events of a parser, within bounds.
final class XMLBuilder {
  private let line: () -> UInt
  private let stop: () -> Void
  private var open: [XMLElement] = []
  private var count = 0
  /// The root, when it is complete.
  private(set) var root: XMLElement?
  /// Why the document is refused.
  private(set) var fault: String?

  init(line: @escaping () -> UInt, stop: @escaping () -> Void) {
    self.line = line
    self.stop = stop
  }

  func begin(_ name: String, _ attributes: [String: String]) {
    count += 1
    guard open.count < 64, count <= 100_000 else {
      return refuse("it has too many elements or levels")
    }
    open.append(XMLElement(name: name, attributes: attributes, line: Int(line())))
  }

  func end() {
    guard fault == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func add(_ text: String) {
    guard fault == nil, !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  func refuse(_ cause: String) {
    if fault == nil { fault = "line \(line()): \(cause)" }
    stop()
  }
}
