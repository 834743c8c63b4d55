import Primitives

package struct HTMLForm: Sendable, Hashable {
  /// A control whose value is sent.
  package struct Field: Sendable, Hashable {
    package let name: String
    /// The value that the page gives it.
    package var value: String
    /// The type of the input, lower-case, such as `hidden`.
    package let type: String
    /// What `autocomplete` says that it is for, lower-case, such as `username`.
    package let purpose: String
    /// The label, or the placeholder.
    package var label = ""
    /// What a button has in place of the form's (`formaction`, `formmethod`, `formenctype`); `nil` for
    /// what it does not name.
    package var action: String?
    package var isPost: Bool?
    package var isMultipart: Bool?
    fileprivate let id: String

    /// Whether a person fills it in.
    package var isVisible: Bool {
      !["hidden", "submit", "checkbox", "radio", "select"].contains(type)
    }
    /// Whether it must not be shown while it is typed.
    package var isSecret: Bool { type == "password" }
    /// Whether it is a button, of which only one is sent.
    package var isButton: Bool { type == "submit" }
  }

  /// The address that it is sent to, as written; empty for the page itself.
  package let action: String
  /// Whether it is sent as a POST.
  package let isPost: Bool
  /// Whether it is sent as `multipart/form-data`.
  package let isMultipart: Bool
  /// The fields in the order of the page; of the submit buttons only the first, if it has a name.
  package fileprivate(set) var fields: [Field] = []
  /// All submit buttons; the first one is what the return key presses.
  package fileprivate(set) var buttons: [Field] = []
  /// The base of the page's addresses (`base`), as written; `nil` for the page itself.
  package fileprivate(set) var base: String?
  /// Whether values are sent in Windows-1252, as the page is or asks for.
  package private(set) var isLatin: Bool
  fileprivate let id: String

  /// The forms of a page in their order; `charset` is the encoding that the response names.
  package static func all(in page: [UInt8], charset: String? = nil) -> [HTMLForm] {
    let isLatin = PageEncoding.isLatin(page, charset)
    var reader = HTMLFormReader(isLatin: isLatin)
    var tags = HTMLTags(isLatin ? PageEncoding.utf8(ofLatin: page) : page)
    while let token = tags.next() { reader.read(token) }
    reader.endPage()
    return reader.forms
  }

  fileprivate init(_ attributes: [String: String], isLatin: Bool) {
    id = attributes["id"] ?? ""
    let accepted = attributes["accept-charset"]?.words.first
    self.isLatin = accepted.map(PageEncoding.isLatin) ?? isLatin
    action = attributes["action"]?.trimmingHTMLSpace ?? ""
    isPost = Self.isPost(attributes["method"]) ?? false
    isMultipart = Self.isMultipart(attributes["enctype"]) ?? false
  }

  fileprivate static func isPost(_ method: String?) -> Bool? {
    method.map { $0.asciiLowercased == "post" }
  }

  fileprivate static func isMultipart(_ encoding: String?) -> Bool? {
    encoding.map { $0.asciiLowercased == "multipart/form-data" }
  }

  /// How many fields and buttons a form has at most: a page of 1 MiB could have many more.
  fileprivate static let maximumCount = 4096

  fileprivate mutating func add(_ field: Field) {
    guard fields.count + buttons.count < Self.maximumCount else { return }
    if field.isButton { buttons.append(field) }
    if !field.isButton || (buttons.count == 1 && !field.name.isEmpty) { fields.append(field) }
  }

  package func field(_ name: String) -> Field? { fields.first { sameIdentifier($0.name, name) } }
}

/// Collects the forms of a page from its tags.
private struct HTMLFormReader {
  private(set) var forms: [HTMLForm] = []
  private let isLatin: Bool
  private var form: HTMLForm?
  private var base: String?
  /// Controls that name their form, which may be another one than that around them.
  private var strays: [(form: String, field: HTMLForm.Field)] = []
  private var labels: [String: String] = [:]
  /// The label that is open, and the field that it names.
  private var label: (target: String?, text: String)?
  private var textArea: (field: HTMLForm.Field, attributes: [String: String])?
  private var select: HTMLSelect?
  /// The groups of controls (`fieldset`) that are open: whether they are disabled, with all in them.
  private var groups: [Bool] = []
  private var disabledGroups = 0

  init(isLatin: Bool) { self.isLatin = isLatin }

  mutating func endPage() {
    endForm()
    for index in forms.indices {
      forms[index].base = base
      let own = strays.filter { !$0.form.isEmpty && sameIdentifier($0.form, forms[index].id) }
      for stray in own { forms[index].add(labelled(stray.field)) }
    }
  }

  mutating func read(_ token: HTMLTags.Token) {
    switch token {
    case .start(let name, let attributes): start(name, attributes)
    case .end(let name): end(name)
    case .text(let text):
      if let size = label?.text.utf8.count, size < 256 {
        let text = size == 0 ? text.trimmingHTMLSpace : text
        label?.text += String(decoding: text.utf8.prefix(256), as: UTF8.self)
      }
      select?.add(text)
      // A line break right behind the tag is not part of the value.
      let isBreak = text.first.map { ["\n", "\r\n", "\r"].contains($0) } ?? false
      textArea?.field.value += isBreak ? text.dropFirst() : text[...]
    }
  }

  private func labelled(_ field: HTMLForm.Field) -> HTMLForm.Field {
    var field = field
    if !field.id.isEmpty, let text = labels[field.id], !text.isEmpty { field.label = text }
    return field
  }

  private mutating func endForm() {
    guard var form else { return }
    form.fields = form.fields.map(labelled)
    if forms.count < 1024 { forms.append(form) }
    self.form = nil
  }

  private mutating func start(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "form" where form == nil: form = HTMLForm(attributes, isLatin: isLatin)
    case "base" where base == nil: base = attributes["href"]?.trimmingHTMLSpace
    case "label": label = (attributes["for"], "")
    case "input": input(attributes, attributes["type"]?.asciiLowercased ?? "text")
    case "button":
      let type = attributes["type"]?.asciiLowercased ?? "submit"
      if type == "submit" { button(attributes) }
    case "textarea": textArea = field(attributes, "textarea", value: "").map { ($0, attributes) }
    case "select": select = HTMLSelect(attributes)
    case "option", "optgroup": select?.start(name, attributes)
    case "fieldset":
      groups.append(attributes["disabled"] != nil)
      if attributes["disabled"] != nil { disabledGroups += 1 }
    default: break
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "form": endForm()
    case "label":
      if let label, let target = label.target { labels[target] = label.text.trimmingHTMLSpace }
      label = nil
    case "textarea":
      add(textArea?.field, attributes: textArea?.attributes ?? [:])
      textArea = nil
    case "option", "optgroup": select?.end(name)
    case "select":
      for value in select?.values ?? [] {
        let attributes = select?.attributes ?? [:]
        add(field(attributes, "select", value: value), attributes: attributes)
      }
      select = nil
    case "fieldset": if groups.popLast() == true { disabledGroups -= 1 }
    default: break
    }
  }

  private func isDisabled(_ attributes: [String: String]) -> Bool {
    disabledGroups > 0 || attributes["disabled"] != nil
  }

  private mutating func input(_ attributes: [String: String], _ type: String) {
    if ["button", "reset", "image", "file"].contains(type) { return }
    let isToggle = type == "checkbox" || type == "radio"
    if isToggle, attributes["checked"] == nil { return }
    if type == "submit" { return button(attributes) }
    let value = attributes["value"] ?? (isToggle ? "on" : "")
    add(field(attributes, type, value: value), attributes: attributes)
  }

  /// A button without a name counts too: if it is the first one, no other is sent.
  private mutating func button(_ attributes: [String: String]) {
    guard !isDisabled(attributes) else { return }
    var field = HTMLForm.Field(
      name: attributes["name"] ?? "", value: attributes["value"] ?? "", type: "submit",
      purpose: "", id: "")
    field.action = attributes["formaction"]?.trimmingHTMLSpace
    field.isPost = HTMLForm.isPost(attributes["formmethod"])
    field.isMultipart = HTMLForm.isMultipart(attributes["formenctype"])
    add(field, attributes: attributes)
  }

  private func field(
    _ attributes: [String: String], _ type: String, value: String
  ) -> HTMLForm.Field? {
    guard let name = attributes["name"], !name.isEmpty, !isDisabled(attributes) else { return nil }
    var field = HTMLForm.Field(
      name: name, value: value, type: type,
      purpose: Self.purpose(attributes["autocomplete"] ?? ""), id: attributes["id"] ?? "")
    field.label =
      label.map { $0.target == nil ? $0.text.trimmingHTMLSpace : "" }
      ?? attributes["placeholder"] ?? attributes["aria-label"] ?? ""
    return field
  }

  /// The last word, but for the one about passkeys: others are about the part of the page (HTML 4.10.18.7.1).
  private static func purpose(_ autocomplete: String) -> String {
    autocomplete.utf8.split(whereSeparator: \.isHTMLSpace).map { Substring($0).asciiLowercased }
      .last { $0 != "webauthn" } ?? ""
  }

  private mutating func add(_ field: HTMLForm.Field?, attributes: [String: String]) {
    guard let field else { return }
    if let owner = attributes["form"] {
      if strays.count < HTMLForm.maximumCount { strays.append((owner, field)) }
    } else {
      form?.add(field)
    }
  }
}

extension String {
  /// The text without the white space of HTML at its ends.
  fileprivate var trimmingHTMLSpace: String {
    func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }
    let bytes = utf8.drop(while: isSpace)
    let count = bytes.reversed().drop(while: isSpace).count
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
