/// A description of files and of the keys in them; its page is in section 5 of the manual.
package struct FormatPage: Sendable {
  package let name: String
  package let summary: String
  /// Prose, as in a topic.
  package let text: String
  package let sections: [FormatSection]

  package init(name: String, summary: String, text: String, sections: [FormatSection]) {
    self.name = name
    self.summary = summary
    self.text = text
    self.sections = sections
  }
}

/// Keys of a file under one heading.
package struct FormatSection: Sendable {
  package let title: String
  package let rows: [FormatRow]

  package init(_ title: String, _ rows: [FormatRow]) {
    self.title = title
    self.rows = rows
  }
}

/// One key of a file.
package struct FormatRow: Sendable {
  package let key: String
  package let summary: String
  /// What a value must be, in words.
  package let type: String
  /// The value if the key is not set; `nil` without a default.
  package let defaultText: String?
  package let example: String

  package init(
    key: String, summary: String, type: String, defaultText: String? = nil, example: String
  ) {
    self.key = key
    self.summary = summary
    self.type = type
    self.defaultText = defaultText
    self.example = example
  }
}
