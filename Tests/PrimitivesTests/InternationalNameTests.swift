import Testing

@testable import Primitives

@Suite("International names")
struct InternationalNameTests {
  @Test(
    "become A-labels",
    arguments: [
      ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
      // A decomposed letter, and the full stops of other scripts.
      ("bu\u{308}cher.example", "xn--bcher-kva.example"),
      ("bücher\u{3002}example", "xn--bcher-kva.example"),
      ("bücher\u{FF0E}example\u{FF61}test", "xn--bcher-kva.example.test"),
      // Not transitional, as in curl: a sharp s and a joiner are letters of their own.
      ("straße.example", "xn--strae-oqa.example"), ("faß.bücher", "xn--fa-hia.xn--bcher-kva"),
      ("\u{915}\u{94D}\u{200D}\u{937}.example", "xn--11b2ezcw70k.example"),
      // Scripts may be mixed: the A-label shows that it is not apple.example.
      ("\u{430}pple.example", "xn--pple-43d.example"), ("日本語.jp", "xn--wgv71a119e.jp"),
      ("xn--bcher-kva.bücher.example", "xn--bcher-kva.xn--bcher-kva.example"),
      ("a_b.bücher.", "a_b.xn--bcher-kva"),
    ])
  func ascii(name: String, host: String) {
    #expect(HostName.normalized(name) == host)
    #expect(HostName.normalized(host) == host)
  }

  @Test(
    "are refused if they are not names",
    arguments: [
      "bücher..example", "-ü.example", "ü-.example", "ab--ü.example", "☃.example", "ü ü.example",
      "a\u{200D}b.example", "\u{300}ü.example", "1\u{5D1}.example", "xn--a.bücher",
      // The A-label of a letter that becomes three others.
      "xn--vth.bücher",
      "bücher\u{FF0F}x.example", "bücher.example\u{FF1A}80", "ü@b.example", "ü.example\0x",
      // They only look like names of ASCII, or like an address.
      "\u{FF45}xample.com", "example\u{3002}com", "\u{FF11}\u{FF12}\u{FF17}.0.0.1", "\u{2460}.ü",
      String(repeating: "ü", count: 70) + ".example",
      String(repeating: "ü.", count: 60) + "example", "\u{202E}ü.example",
    ])
  func refused(name: String) {
    #expect(HostName.normalized(name) == nil)
    #expect(InternationalName.clause(about: name) != "")
  }

  @Test(
    "are shown with U-labels only if these lead back",
    arguments: [
      ("xn--bcher-kva.example", "bücher.example"), ("a.xn--strae-oqa", "a.straße"),
      ("example.com", nil), ("xn--a.example", nil), ("xn--.example", nil),
      ("notxn--bcher-kva.example", nil), ("127.0.0.1", nil), ("::1", nil),
      // The A-label of a name with a capital letter, which no name has after the mapping.
      ("xn--Bcher-kva.example", nil), ("xn--bcher-kva8445foa.example", nil),
    ] as [(String, String?)])
  func unicode(host: String, name: String?) {
    #expect(InternationalName.unicode(host) == name)
  }

  @Test("are what a clause is about")
  func clause() {
    #expect(InternationalName.clause(about: "bücher.example") == "")
    #expect(InternationalName.clause(about: "..") == "")
  }
}
