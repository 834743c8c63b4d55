import Primitives

/// Reads the tags of an HTML page, as far as forms need it: tolerant, in one pass, bounded.
///
/// Comments and the content of scripts and styles are skipped. Nothing of a page is executed.
struct HTMLTags {
  /// A tag or the text before the next one.
  enum Token {
    case start(name: String, attributes: [String: String])
    case end(name: String)
    case text(String)
  }

  private var rest: ArraySlice<UInt8>
  /// The element whose content is no markup, such as `script`.
  private var rawElement: String?

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next token; `nil` at the end.
  mutating func next() -> Token? {
    if let name = rawElement {
      rawElement = nil
      return .text(rawText(until: name))
    }
    while let first = rest.first {
      guard first == UInt8(ascii: "<") else { return .text(HTMLText.decoded(text())) }
      if starts(with: "<!--") {
        // `<!-->` and `<!--->` are whole.
        rest = rest.dropFirst(starts(with: "<!-->") || starts(with: "<!--->") ? 2 : 4)
        skip(past: ["-->", "--!>"])
      } else if starts(with: "<!") || starts(with: "<?") {
        skip(past: [">"])
      } else if let tag = tag() {
        return tag
      }
    }
    return nil
  }

  private mutating func text() -> [UInt8] {
    let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
    defer { rest = rest[end...] }
    return Array(rest[..<end])
  }

  /// A tag at the front; `nil` for a `<` that begins none, which is skipped.
  private mutating func tag() -> Token? {
    rest = rest.dropFirst()
    let isEnd = rest.first == UInt8(ascii: "/")
    let name = rest.dropFirst(isEnd ? 1 : 0).prefix { $0.isLetter || $0.isDigit }
    guard name.first?.isLetter == true else { return nil }
    rest = rest[name.endIndex...]
    let tag = String(decoding: name, as: UTF8.self).asciiLowercased
    let attributes = attributes()
    if isEnd { return .end(name: tag) }
    if Self.rawElements.contains(tag) { rawElement = tag }
    return .start(name: tag, attributes: attributes)
  }

  /// Attributes up to the end of the tag; of repeated ones the first counts.
  private mutating func attributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: "/") }
      guard let first = rest.first else { return attributes }
      if first == UInt8(ascii: ">") {
        rest = rest.dropFirst()
        return attributes
      }
      let name = rest.prefix { !$0.isHTMLSpace && $0 != 0x3E && $0 != 0x3D && $0 != 0x2F }
      // A lone `=` is no name.
      rest = rest.dropFirst(max(name.count, 1))
      let value = value()
      let key = String(decoding: name, as: UTF8.self).asciiLowercased
      if attributes[key] == nil, attributes.count < 64 {
        attributes[key] = HTMLText.decoded(value, isAttribute: true)
      }
    }
  }

  private mutating func value() -> [UInt8] {
    let before = rest
    rest = rest.drop(while: \.isHTMLSpace)
    guard rest.first == UInt8(ascii: "=") else {
      rest = before
      return []
    }
    rest = rest.dropFirst().drop(while: \.isHTMLSpace)
    guard let quote = rest.first, quote == 0x22 || quote == 0x27 else {
      let value = rest.prefix { !$0.isHTMLSpace && $0 != 0x3E }
      rest = rest[value.endIndex...]
      return Array(value)
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    rest = rest[value.endIndex...].dropFirst()
    return Array(value)
  }

  private mutating func rawText(until name: String) -> String {
    let end = Array("</\(name)".utf8)
    var index = rest.startIndex
    while let mark = rest[index...].firstIndex(of: UInt8(ascii: "<")) {
      if rest[mark...].prefix(end.count).map(\.asciiLowercased) == end {
        defer { rest = rest[mark...] }
        let bytes = Array(rest[..<mark])
        return name == "textarea" || name == "title"
          ? HTMLText.decoded(bytes) : String(decoding: bytes, as: UTF8.self)
      }
      index = rest.index(after: mark)
    }
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { rest.starts(with: $0) }
  }

  private mutating func skip(past ends: [StaticString]) {
    while !rest.isEmpty {
      if let end = ends.first(where: { starts(with: $0) }) {
        rest = rest.dropFirst(end.utf8CodeUnitCount)
        return
      }
      rest = rest.dropFirst()
    }
  }

  private static let rawElements: Set<String> = [
    "script", "style", "textarea", "title", "noscript", "template", "iframe", "xmp",
  ]
}

extension UInt8 {
  /// Whether the byte is white space in HTML.
  var isHTMLSpace: Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(self) }
}

/// Character references of HTML text (HTML 13.2.5.72 to 13.2.5.84).
enum HTMLText {
  /// The text with its references replaced.
  ///
  /// In an attribute, a name without a semicolon before `=`, a letter or a digit is not a reference:
  /// `?a=1&copy=2` is the query of a URL.
  static func decoded(_ bytes: [UInt8], isAttribute: Bool = false) -> String {
    var text = ""
    var rest = bytes[...]
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<mark], as: UTF8.self)
      rest = rest[mark...].dropFirst()
      let found =
        rest.first == UInt8(ascii: "#")
        ? numbered(rest.dropFirst()) : named(rest, isAttribute: isAttribute)
      guard let found else {
        text += "&"
        continue
      }
      text.unicodeScalars.append(found.scalar)
      rest = found.rest
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private typealias Found = (scalar: Unicode.Scalar, rest: ArraySlice<UInt8>)

  private static func numbered(_ text: ArraySlice<UInt8>) -> Found? {
    let isHex = text.first == UInt8(ascii: "x") || text.first == UInt8(ascii: "X")
    let start = isHex ? text.dropFirst() : text
    let digits = start.prefix { isHex ? $0.hexValue != nil : $0.isDigit }
    guard !digits.isEmpty else { return nil }
    let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10) ?? .max
    let rest = start[digits.endIndex...]
    return (
      scalar(number), rest.first == UInt8(ascii: ";") ? rest.dropFirst() : rest
    )
  }

  /// Numbers from 0x80 to 0x9F are those of Windows-1252, and what is not a character is U+FFFD.
  private static func scalar(_ number: UInt32) -> Unicode.Scalar {
    if (0x80...0x9F).contains(number) {
      let text = String(decoding: PageEncoding.utf8(ofLatin: [UInt8(number)]), as: UTF8.self)
      return text.unicodeScalars.first ?? "\u{FFFD}"
    }
    return number == 0 ? "\u{FFFD}" : Unicode.Scalar(number) ?? "\u{FFFD}"
  }

  private static func named(_ text: ArraySlice<UInt8>, isAttribute: Bool) -> Found? {
    let name = text.prefix { $0.isLetter || $0.isDigit }
    let rest = text[name.endIndex...]
    let word = String(decoding: name, as: UTF8.self)
    if rest.first == UInt8(ascii: ";"), let scalar = HTMLNames.scalar(word) {
      return (scalar, rest.dropFirst())
    }
    // The longest beginning that is a name: `&notit` is `¬it`.
    for length in stride(from: min(name.count, 6), through: 2, by: -1) {
      guard let scalar = HTMLNames.legacyScalar(word.prefix(length)) else { continue }
      let rest = text.dropFirst(length)
      let isText = rest.first.map { $0 == UInt8(ascii: "=") || $0.isLetter || $0.isDigit } ?? false
      return isAttribute && isText ? nil : (scalar, rest)
    }
    return nil
  }
}

/// The names of characters in HTML; the tables are made when a page has such a reference.
enum HTMLNames {
  /// The character of a name; `nil` if it is not known.
  static func scalar(_ name: String) -> Unicode.Scalar? { legacy[name] ?? withSemicolon[name] }

  /// The character of a name that HTML also accepts without a semicolon.
  static func legacyScalar(_ name: Substring) -> Unicode.Scalar? { legacy[String(name)] }

  private static let legacy: [String: Unicode.Scalar] = {
    var table: [String: Unicode.Scalar] = [
      "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"",
      "QUOT": "\"", "COPY": "\u{A9}", "REG": "\u{AE}",
    ]
    for (offset, name) in words(of: latin).enumerated() {
      table[name] = Unicode.Scalar(0xA0 + UInt32(offset))
    }
    return table
  }()

  private static let withSemicolon: [String: Unicode.Scalar] = {
    var table: [String: Unicode.Scalar] = [:]
    for word in words(of: others) {
      let name = String(word.prefix { $0 != "=" })
      table[name] = UInt32(word.dropFirst(name.count + 1), radix: 16).flatMap(Unicode.Scalar.init)
    }
    return table
  }()

  private static func words(of text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  /// The characters from U+00A0 to U+00FF, in their order (HTML 4 section 24.2).
  private static let latin = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn
    sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave
    Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc
    Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute
    THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
    uacute ucirc uuml yacute thorn yuml
    """

  /// The others of HTML 4, the punctuation of ASCII and the letters of Latin Extended-A, with their
  /// numbers in hexadecimal; all of them need a semicolon.
  private static let others = """
    Tab=9 NewLine=A excl=21 num=23 dollar=24 percnt=25 apos=27 lpar=28 rpar=29 ast=2A plus=2B
    comma=2C period=2E sol=2F colon=3A semi=3B equals=3D quest=3F commat=40 lbrack=5B lsqb=5B
    bsol=5C rbrack=5D rsqb=5D Hat=5E lowbar=5F grave=60 lbrace=7B lcub=7B verbar=7C vert=7C
    rbrace=7D rcub=7D Amacr=100 amacr=101 Abreve=102 abreve=103 Aogon=104 aogon=105 Cacute=106
    cacute=107 Ccirc=108 ccirc=109 Cdot=10A cdot=10B Ccaron=10C ccaron=10D Dcaron=10E dcaron=10F
    Dstrok=110 dstrok=111 Emacr=112 emacr=113 Edot=116 edot=117 Eogon=118 eogon=119 Ecaron=11A
    ecaron=11B Gcirc=11C gcirc=11D Gbreve=11E gbreve=11F Gdot=120 gdot=121 Gcedil=122 Hcirc=124
    hcirc=125 Hstrok=126 hstrok=127 Itilde=128 itilde=129 Imacr=12A imacr=12B Iogon=12E
    iogon=12F Idot=130 imath=131 inodot=131 IJlig=132 ijlig=133 Jcirc=134 jcirc=135 Kcedil=136
    kcedil=137 kgreen=138 Lacute=139 lacute=13A Lcedil=13B lcedil=13C Lcaron=13D lcaron=13E
    Lmidot=13F lmidot=140 Lstrok=141 lstrok=142 Nacute=143 nacute=144 Ncedil=145 ncedil=146
    Ncaron=147 ncaron=148 napos=149 ENG=14A eng=14B Omacr=14C omacr=14D Odblac=150 odblac=151
    OElig=152 oelig=153 Racute=154 racute=155 Rcedil=156 rcedil=157 Rcaron=158 rcaron=159
    Sacute=15A sacute=15B Scirc=15C scirc=15D Scedil=15E scedil=15F Scaron=160 scaron=161
    Tcedil=162 tcedil=163 Tcaron=164 tcaron=165 Tstrok=166 tstrok=167 Utilde=168 utilde=169
    Umacr=16A umacr=16B Ubreve=16C ubreve=16D Uring=16E uring=16F Udblac=170 udblac=171
    Uogon=172 uogon=173 Wcirc=174 wcirc=175 Ycirc=176 ycirc=177 Yuml=178 Zacute=179 zacute=17A
    Zdot=17B zdot=17C Zcaron=17D zcaron=17E fnof=192 circ=2C6 tilde=2DC Alpha=391 Beta=392
    Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397 Theta=398 Iota=399 Kappa=39A Lambda=39B
    Mu=39C Nu=39D Xi=39E Omicron=39F Pi=3A0 Rho=3A1 Sigma=3A3 Tau=3A4 Upsilon=3A5 Phi=3A6
    Chi=3A7 Psi=3A8 Omega=3A9 alpha=3B1 beta=3B2 gamma=3B3 delta=3B4 epsilon=3B5 zeta=3B6
    eta=3B7 theta=3B8 iota=3B9 kappa=3BA lambda=3BB mu=3BC nu=3BD xi=3BE omicron=3BF pi=3C0
    rho=3C1 sigmaf=3C2 sigma=3C3 tau=3C4 upsilon=3C5 phi=3C6 chi=3C7 psi=3C8 omega=3C9
    thetasym=3D1 upsih=3D2 piv=3D6 ensp=2002 emsp=2003 thinsp=2009 zwnj=200C zwj=200D lrm=200E
    rlm=200F ndash=2013 mdash=2014 lsquo=2018 rsquo=2019 sbquo=201A ldquo=201C rdquo=201D
    bdquo=201E dagger=2020 Dagger=2021 bull=2022 hellip=2026 permil=2030 prime=2032 Prime=2033
    lsaquo=2039 rsaquo=203A oline=203E frasl=2044 euro=20AC image=2111 weierp=2118 real=211C
    trade=2122 alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194 crarr=21B5
    lArr=21D0 uArr=21D1 rArr=21D2 dArr=21D3 hArr=21D4 forall=2200 part=2202 exist=2203
    empty=2205 nabla=2207 isin=2208 notin=2209 ni=220B prod=220F sum=2211 minus=2212 lowast=2217
    radic=221A prop=221D infin=221E ang=2220 and=2227 or=2228 cap=2229 cup=222A int=222B
    there4=2234 sim=223C cong=2245 asymp=2248 ne=2260 equiv=2261 le=2264 ge=2265 sub=2282
    sup=2283 nsub=2284 sube=2286 supe=2287 oplus=2295 otimes=2297 perp=22A5 sdot=22C5 lceil=2308
    rceil=2309 lfloor=230A rfloor=230B lang=27E8 rang=27E9 loz=25CA spades=2660 clubs=2663
    hearts=2665 diams=2666
    """
}
