import TestSupport

@testable import WebForms

@Suite("Forms of an HTML page")
struct HTMLFormTests {
  private static func forms(_ page: String) -> [HTMLForm] { HTMLForm.all(in: Array(page.utf8)) }

  private static func pairs(_ form: HTMLForm?) -> [String] {
    (form?.fields ?? []).map { "\($0.type) \($0.name)=\($0.value)" }
  }

  @Test("have no more than 4096 fields, buttons and controls outside of them included")
  func limit() {
    let inputs = (0..<4100).map { "<input name=f\($0)>" }.joined()
    #expect(Self.forms("<form>\(inputs)</form>").first?.fields.count == 4096)
    let buttons = (0..<4100).map { "<button name=b\($0)>b</button>" }.joined()
    let form = Self.forms("<form>\(buttons)<input name=last></form>").first
    // The first button is a field too.
    #expect(form?.buttons.count == 4095 && form?.fields.count == 1)
    #expect(form?.field("last") == nil)
    let strays = (0..<4100).map { "<input form=x name=f\($0)>" }.joined()
    #expect(Self.forms("\(strays)<form id=x></form>").first?.fields.count == 4096)
    #expect(Self.forms(String(repeating: "<form></form>", count: 1100)).count == 1024)
  }

  @Test("have the fields that a browser would send, in order")
  func fields() {
    let form = Self.forms(
      """
      <!DOCTYPE html><!-- <form><input name=no></form> --><script>"<form action='/x'>"</script>
      <FORM Action="/go?a=1&amp;b=2" METHOD=post>
        <input type=hidden name=csrf value='t&quot;&#39;&#x41;&amp;lt;'>
        <input name=user value="al" autocomplete="Username"/><input type=PASSWORD name="pw">
        <input type=checkbox name=on checked><input type=checkbox name=off>
        <input type=radio name=r value=1><input type=radio name=r value=2 checked>
        <select name=s><option value=a>A<option value=b selected>B</select>
        <select name=first><option value=x>X<option value=y>Y</select>
        <textarea name=t>
      a &lt; b</textarea>
        <input name=gone disabled><input value=unnamed><input type=file name=f>
        <button name=b1 value=v1>Go</button><button name=b2>Other</button>
      </FORM>
      """
    ).first
    #expect(form?.action == "/go?a=1&b=2")
    #expect(form?.isPost == true)
    #expect(form?.field("user")?.purpose == "username")
    #expect(
      Self.pairs(form) == [
        #"hidden csrf=t"'A&lt;"#, "text user=al", "password pw=", "checkbox on=on", "radio r=2",
        "select s=b", "select first=x", "textarea t=a < b", "submit b1=v1",
      ])
  }

  @Test(
    "have of a list of choices what a browser sends",
    arguments: [
      ("<select name=s><option>a<option>b</select>", ["a"]),
      ("<select name=s><option>\n a &amp;\t b </option></select>", ["a & b"]),
      ("<select name=s><option value=''>a</select>", [""]),
      ("<select name=s><option disabled value=x>X<option value=y>Y</select>", ["y"]),
      ("<select name=s><option disabled selected value=x>X<option value=y>Y</select>", []),
      ("<select name=s><optgroup disabled><option>x</optgroup><option>y</select>", ["y"]),
      ("<select name=s><option selected>x<option selected>y</select>", ["y"]),
      ("<select name=s size=2><option>x<option>y</select>", []),
      ("<select name=s multiple><option>x<option>y</select>", []),
      ("<select name=s multiple><option selected>x<option selected>y</select>", ["x", "y"]),
      ("<select name=s></select>", []), ("<select name=s disabled><option>x</select>", []),
      ("</form><select name=s form=f><option>x</select>", ["x"]),
      ("<1 <select name=s><option>x</select>", ["x"]),
    ])
  func choices(list: String, values: [String]) {
    let form = Self.forms("<form id=f>\(list)</form>").first
    #expect(Self.pairs(form) == values.map { "select s=\($0)" })
  }

  @Test(
    "have fields for a purpose, whatever else autocomplete says",
    arguments: [
      ("username", "username"), ("UserName WebAuthn", "username"), ("webauthn", ""), ("", ""),
      ("section-a\tshipping  email", "email"), ("one-time-code webauthn", "one-time-code"),
    ])
  func purposes(autocomplete: String, purpose: String) {
    let form = Self.forms("<form><input name=a autocomplete='\(autocomplete)'></form>").first
    #expect(form?.field("a")?.purpose == purpose)
  }

  @Test(
    "stand behind a comment that ends as browsers end it",
    arguments: ["<!-->", "<!--->", "<!---->", "<!-- x -->", "<!-- x --!>", "<!--!> <form> -->"])
  func comments(comment: String) {
    #expect(Self.forms("\(comment)<form><input name=a></form>").map(\.fields.count) == [1])
  }

  @Test("send line breaks as CR LF, and not the one that begins a text")
  func lines() {
    for line in ["\n", "\r\n", "\r"] {
      let form = Self.forms("<form><textarea name=t>\(line)a\(line)b</textarea></form>").first
      var parameters = FormParameters()
      for field in form?.fields ?? [] { parameters.append(field.name, field.value) }
      #expect(FormBody(parameters: parameters).encoded == "t=a%0D%0Ab")
    }
  }

  @Test("read no label to its end that is longer than a person would read")
  func longLabel() {
    let spaces = String(repeating: " ", count: 100_000)
    let inputs = (0..<100).map { "<input name=a\($0)>" }.joined()
    let page = "<form><label>\(spaces)x<b>y</b>\(spaces)<i>z</i>\(inputs)</label></form>"
    let labels = HTMLForm.all(in: Array(page.utf8)).first?.fields.map(\.label) ?? []
    #expect(labels == Array(repeating: "xy", count: 100))
  }

  @Test("have the labels that a person reads")
  func labels() {
    let form = Self.forms(
      """
      <form><label for=u>  User
      name </label><input id=u name=a><label>Code <input name=b></label>
      <input name=c placeholder="Token"><input name=d></form>
      """
    ).first
    #expect(form?.fields.map(\.label) == ["User\nname", "Code", "Token", ""])
  }

  @Test("have nothing of a disabled group of controls, whatever groups are in it")
  func disabledGroups() {
    let form = Self.forms(
      """
      <form><fieldset disabled><fieldset><input name=a></fieldset><select name=b><option>x</select>
      <textarea name=c></textarea><button name=d>Go</button></fieldset></fieldset>
      <fieldset><input name=e></fieldset><button name=f>Go</button></form>
      """
    ).first
    #expect(form?.fields.map(\.name) == ["e", "f"])
    #expect(form?.buttons.map(\.name) == ["f"])
  }

  @Test("end where the next begins, or with the page")
  func several() {
    let forms = Self.forms(
      "<form action=/a><input name=x></form><input name=y><form enctype=multipart/form-data><input name=z"
    )
    #expect(forms.map(\.action) == ["/a", ""])
    #expect(forms.map { $0.fields.map(\.name) } == [["x"], ["z"]])
    #expect(forms.map(\.isMultipart) == [false, true])
  }

  @Test("are read from any bytes")
  func fuzz() {
    var dice = Dice(state: 7)
    let words = [
      "<form", "<input ", " name=", "'", "\"", ">", "</", "<!--", "-->", "&", "&#", "&#x", ";", "=",
      "<script>", "</script>", "<textarea>", "<select", "<option ", "\u{0}", "é", "/", "<", "a",
      "</form>", "&#4294967295;", "&#xD800;",
    ]
    for _ in 0..<2000 {
      let page = (0..<Int.random(in: 0...40, using: &dice)).map { _ in
        words[Int.random(in: 0..<words.count, using: &dice)]
      }
      for form in Self.forms(page.joined()) { #expect(form.fields.count <= 40) }
    }
  }
}
