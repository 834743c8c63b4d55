import JSON

extension Context {
  /// Reports a change: as a document with `--json`, else as a note for people.
  func report(_ document: JSON, _ note: String...) {
    if globals.json {
      print(document)
    } else {
      for line in note { self.note(line) }
    }
  }
}
