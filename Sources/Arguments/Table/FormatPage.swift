/// A description of files and of the keys in them; its page is in section 5 of the manual.
package typealias FormatPage = (topic: Topic, sections: [FormatSection])

/// Keys of a file under one heading.
package typealias FormatSection = (title: String, rows: [FormatRow])

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
