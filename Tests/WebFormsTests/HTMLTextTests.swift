import Testing

@testable import WebForms

@Suite("Character references of HTML")
struct HTMLTextTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let html: String
    let text: String
    let attribute: String
    var testDescription: String { html }

    init(_ html: String, _ text: String, inAttribute attribute: String? = nil) {
      self.html = html
      self.text = text
      self.attribute = attribute ?? text
    }
  }

  @Test(
    "are replaced as browsers do, in text and in attributes",
    arguments: [
      Row("plain & simple", "plain & simple"), Row("&uuml;&eacute;&szlig;", "üéß"),
      Row("M&uumlller", "Müller", inAttribute: "M&uumlller"), Row("M&uuml", "Mü"),
      Row("&nbsp;|&yuml;|&Agrave;|&divide;", "\u{A0}|ÿ|À|÷"),
      Row("&euro;&ndash;&hellip;&Omega;&rArr;&thetasym;", "€–…Ω⇒ϑ"),
      Row("&euro &ndash", "&euro &ndash"), Row("&amp;amp;", "&amp;"), Row("&AMP &LT;", "& <"),
      Row("?a=1&copy=2&amp;b", "?a=1©=2&b", inAttribute: "?a=1&copy=2&b"),
      Row("?a&lang=de&region=1", "?a&lang=de®ion=1", inAttribute: "?a&lang=de&region=1"),
      Row("&notit; &not;it", "¬it; ¬it", inAttribute: "&notit; ¬it"), Row("&notin;", "∉"),
      Row("&apos;&sol;&commat;&lsqb;&Tab;&NewLine;", "'/@[\t\n"), Row("&scaron;&#353;", "šš"),
      Row("&#252;&#xFC;&#XfC", "üüü"), Row("&#128;&#x99;", "€™"),
      Row("&#0;&#xD800;&#x110000;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      Row("&#;&#x;&#xg;&;&", "&#;&#x;&#xg;&;&"), Row("&Uuml;&UUML;", "Ü&UUML;"),
      Row("&nosuch;&a", "&nosuch;&a"),
    ])
  func references(_ row: Row) {
    #expect(HTMLText.decoded(Array(row.html.utf8)) == row.text)
    #expect(HTMLText.decoded(Array(row.html.utf8), isAttribute: true) == row.attribute)
  }
}
