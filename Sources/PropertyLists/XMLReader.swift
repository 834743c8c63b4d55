import POSIX
package import Primitives

package struct XMLElement: Sendable, Hashable {
  package let name: String
  package let attributes: [String: String]
  package let line: Int
  package internal(set) var children: [XMLElement] = []
  /// The text directly inside, in order, without that of its children.
  package internal(set) var text = ""

  package func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Reads XML with expat, the parser of Python, Git and D-Bus, opened on first use.
///
/// Entities of a document's own are refused, and external ones are never loaded, so a document can
/// neither grow while it is read nor reach other files.
package enum XMLReader {
  /// Returns the root element.
  ///
  /// - Throws: ``DocumentError`` for what is not well-formed XML, for entities of its own, more than 64
  ///   levels or 100,000 elements, and if expat is missing.
  package static func root(of bytes: [UInt8]) throws(DocumentError) -> XMLElement {
    guard let expat = Expat.shared else {
      throw DocumentError(cause: "libexpat.so.1 is missing; install the package libexpat1")
    }
    guard bytes.count <= 16 << 20, let parser = expat.create(nil) else {
      throw DocumentError(cause: "the document is too large")
    }
    defer { expat.free(parser) }
    let builder = XMLBuilder {
      expat.line(parser)
    } stop: {
      _ = expat.stop(parser, 0)
    }
    expat.setUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    expat.setElements(parser, elementBegan, elementEnded)
    expat.setText(parser, textArrived)
    expat.setDoctype(parser, doctypeBegan)
    expat.setEntities(parser, entityDeclared)
    expat.setSkipped(parser, entitySkipped)
    let status = withExtendedLifetime(builder) {
      bytes.withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) {
          expat.parse(parser, $0.baseAddress, Int32($0.count), 1)
        }
      }
    }
    if let fault = builder.fault { throw DocumentError(cause: fault) }
    guard status == 1, let root = builder.root else {
      let text = expat.errorText(expat.error(parser)).map { String(cString: $0) }
      throw DocumentError(cause: "line \(expat.line(parser)): \(text ?? "not XML")")
    }
    return root
  }
}

/// The functions of expat.
// @unchecked: function pointers, which never change.
private struct Expat: @unchecked Sendable {
  typealias Parser = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias User = UnsafeMutableRawPointer
  typealias Element = @convention(c) (User?, Text?, UnsafeMutablePointer<Text?>?) -> Void
  typealias End = @convention(c) (User?, Text?) -> Void
  typealias Characters = @convention(c) (User?, Text?, Int32) -> Void
  typealias Doctype = @convention(c) (User?, Text?, Text?, Text?, Int32) -> Void
  typealias Entity =
    @convention(c) (User?, Text?, Int32, Text?, Int32, Text?, Text?, Text?, Text?) -> Void

  let create: @convention(c) (Text?) -> Parser?
  let free: @convention(c) (Parser) -> Void
  let setUserData: @convention(c) (Parser, User) -> Void
  let setElements: @convention(c) (Parser, Element, End) -> Void
  let setText: @convention(c) (Parser, Characters) -> Void
  let setDoctype: @convention(c) (Parser, Doctype) -> Void
  let setEntities: @convention(c) (Parser, Entity) -> Void
  let setSkipped: @convention(c) (Parser, @convention(c) (User?, Text?, Int32) -> Void) -> Void
  let parse: @convention(c) (Parser, Text?, Int32, Int32) -> Int32
  let stop: @convention(c) (Parser, UInt8) -> Int32
  let error: @convention(c) (Parser) -> Int32
  let errorText: @convention(c) (Int32) -> Text?
  let line: @convention(c) (Parser) -> UInt

  static let shared = try? DynamicLibrary.functions(
    Expat.self, of: ["libexpat.so.1", "libexpat.so"],
    named: [
      "XML_ParserCreate", "XML_ParserFree", "XML_SetUserData", "XML_SetElementHandler",
      "XML_SetCharacterDataHandler", "XML_SetStartDoctypeDeclHandler", "XML_SetEntityDeclHandler",
      "XML_SetSkippedEntityHandler", "XML_Parse", "XML_StopParser", "XML_GetErrorCode",
      "XML_ErrorString", "XML_GetCurrentLineNumber",
    ])
}

private func builder(_ user: UnsafeMutableRawPointer?) -> XMLBuilder? {
  user.map { Unmanaged<XMLBuilder>.fromOpaque($0).takeUnretainedValue() }
}

private func elementBegan(
  _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  var found: [String: String] = [:]
  var index = 0
  while let name = attributes?[index], let value = attributes?[index + 1] {
    found[String(cString: name)] = String(cString: value)
    index += 2
  }
  builder(user)?.begin(name.map { String(cString: $0) } ?? "", found)
}

private func elementEnded(_ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
  builder(user)?.end()
}

private func textArrived(
  _ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int32
) {
  let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
  builder(user)?.add(String(decoding: bytes, as: UTF8.self))
}

private func doctypeBegan(
  _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ system: UnsafePointer<CChar>?, _ publicID: UnsafePointer<CChar>?, _ hasInternal: Int32
) {
  if hasInternal != 0 { builder(user)?.refuse("it declares types or entities of its own") }
}

private func entityDeclared(
  _ user: UnsafeMutableRawPointer?, _: UnsafePointer<CChar>?, _: Int32,
  _: UnsafePointer<CChar>?, _: Int32, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
  _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) {
  builder(user)?.refuse("it declares entities of its own")
}

private func entitySkipped(
  _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _: Int32
) {
  builder(user)?.refuse("it uses an entity that it does not declare")
}

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
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func add(_ text: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  func refuse(_ cause: String) {
    if fault == nil { fault = "line \(line()): \(cause)" }
    stop()
  }
}
