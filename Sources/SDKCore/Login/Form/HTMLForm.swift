import Primitives

/// A form of an HTML page.
struct HTMLForm: Sendable, Hashable {
  /// A control whose value is sent.
  struct Field: Sendable, Hashable {
    let name: String
    /// The value that the page gives it.
    var value: String
    /// The type of the input, lower-case, such as `hidden`.
    let type: String
    /// What `autocomplete` says, lower-case.
    let purpose: String
    /// What a person reads beside it: the label, or the placeholder.
    var label = ""
    fileprivate let id: String

    /// Whether a person fills it in.
    var isVisible: Bool { !["hidden", "submit", "checkbox", "radio", "select"].contains(type) }
    /// Whether it must not be shown while it is typed.
    var isSecret: Bool { type == "password" }
  }

  /// Where it is sent, as written; empty for the page itself.
  let action: String
  /// Whether it is sent as a POST.
  let isPost: Bool
  /// Whether it is sent as `multipart/form-data`.
  let isMultipart: Bool
  /// The fields in the order of the page; at most one submit button.
  fileprivate(set) var fields: [Field] = []

  /// The forms of a page.
  static func all(in page: [UInt8]) -> [HTMLForm] {
    var reader = HTMLFormReader()
    var tags = HTMLTags(page)
    while let token = tags.next() { reader.read(token) }
    reader.endForm()
    return reader.forms
  }

  fileprivate init(_ attributes: [String: String]) {
    action = attributes["action"]?.trimmingHTMLSpace ?? ""
    isPost = attributes["method"]?.asciiLowercased == "post"
    isMultipart = attributes["enctype"]?.asciiLowercased == "multipart/form-data"
  }

  /// The first field of that name.
  func field(_ name: String) -> Field? { fields.first { sameIdentifier($0.name, name) } }
}

/// Collects the forms of a page from its tags.
private struct HTMLFormReader {
  private(set) var forms: [HTMLForm] = []
  private var form: HTMLForm?
  private var labels: [String: String] = [:]
  /// The label that is open, and the field that it names.
  private var label: (target: String?, text: String)?
  private var textArea: HTMLForm.Field?
  private var select: (name: String, value: String?, isChosen: Bool)?

  mutating func read(_ token: HTMLTags.Token) {
    switch token {
    case .start(let name, let attributes): start(name, attributes)
    case .end(let name): end(name)
    case .text(let text):
      label?.text += text
      // A line break right behind the tag is not part of the value.
      if textArea != nil { textArea?.value += text.hasPrefix("\n") ? text.dropFirst() : text[...] }
    }
  }

  mutating func endForm() {
    guard var form else { return }
    for index in form.fields.indices where !form.fields[index].id.isEmpty {
      if let text = labels[form.fields[index].id], !text.isEmpty { form.fields[index].label = text }
    }
    if forms.count < 32 { forms.append(form) }
    self.form = nil
  }

  private mutating func start(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "form" where form == nil: form = HTMLForm(attributes)
    case "label": label = (attributes["for"], "")
    case "input": input(attributes, attributes["type"]?.asciiLowercased ?? "text")
    case "button":
      let type = attributes["type"]?.asciiLowercased ?? "submit"
      if type == "submit" { input(attributes, type) }
    case "textarea": textArea = field(attributes, "textarea", value: "")
    case "select":
      select = attributes["disabled"] == nil ? attributes["name"].map { ($0, nil, false) } : nil
    case "option": option(attributes)
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
      add(textArea)
      textArea = nil
    case "select":
      if let select, let value = select.value {
        add(field(["name": select.name], "select", value: value))
      }
      select = nil
    default: break
    }
  }

  private mutating func input(_ attributes: [String: String], _ type: String) {
    if ["button", "reset", "image", "file"].contains(type) { return }
    let isToggle = type == "checkbox" || type == "radio"
    if isToggle, attributes["checked"] == nil { return }
    // A browser that submits by the return key sends the first button only.
    if type == "submit", form?.fields.contains(where: { $0.type == "submit" }) == true { return }
    add(field(attributes, type, value: attributes["value"] ?? (isToggle ? "on" : "")))
  }

  private mutating func option(_ attributes: [String: String]) {
    guard let current = select, !current.isChosen else { return }
    let isChosen = attributes["selected"] != nil
    if current.value == nil || isChosen {
      select = (current.name, attributes["value"] ?? "", isChosen)
    }
  }

  private func field(
    _ attributes: [String: String], _ type: String, value: String
  ) -> HTMLForm.Field? {
    guard let name = attributes["name"], !name.isEmpty, attributes["disabled"] == nil else {
      return nil
    }
    var field = HTMLForm.Field(
      name: name, value: value, type: type,
      purpose: attributes["autocomplete"]?.asciiLowercased ?? "", id: attributes["id"] ?? "")
    field.label =
      label.map { $0.target == nil ? $0.text.trimmingHTMLSpace : "" }
      ?? attributes["placeholder"] ?? attributes["aria-label"] ?? ""
    return field
  }

  private mutating func add(_ field: HTMLForm.Field?) {
    guard let field, (form?.fields.count ?? .max) < 256 else { return }
    form?.fields.append(field)
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
