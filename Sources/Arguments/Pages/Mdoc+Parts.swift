import Primitives

// The recurring parts of a page.
extension Mdoc {
  mutating func name(_ name: String, _ summary: String) {
    section("NAME")
    raw(".Nm \(Self.name(name))")
    raw(".Nd \(Self.escaped(summary.uncapitalized, keepsHyphens: true))")
  }

  mutating func paragraph(_ source: String) {
    raw(".Pp")
    prose(source)
  }

  mutating func synopsis(_ command: CommandCatalog.CommandDoc, _ program: String) {
    macro("Nm", [program])
    macro("Cm", command.path)
    for option in command.options.sections.flatMap(\.options) {
      raw(".Op \(option.inSynopsis)")
    }
    for operand in command.operands {
      let word = "Ar " + Self.argument(operand.name) + (operand.isMany ? " ..." : "")
      raw(operand.isRequired ? ".\(word)" : ".Op \(word)")
    }
  }

  /// What a command takes: operands, then options by group.
  mutating func takes(_ command: CommandCatalog.CommandDoc, _ catalog: CommandCatalog) {
    if !command.operands.isEmpty {
      paragraph("The operands are:")
      tags(command.operands) { page, operand in
        page.macro("It Ar", [operand.name])
        page.sentence(operand.summary)
      }
    }
    for section in command.options.sections {
      paragraph("\(section.heading?.title ?? "The options are"):")
      options(section.options, catalog)
    }
  }

  mutating func options(_ options: [OptionDoc], _ catalog: CommandCatalog) {
    tags(options) { page, option in
      page.raw(".It \(option.inList)")
      page.sentence(option.summary)
      let more = ([option.text] + catalog.notes(option)).filter { !$0.isEmpty }
      page.prose(more.joined(separator: " "))
    }
  }

  mutating func json(_ source: String) {
    paragraph("With `--json`:")
    raw(".Pp")
    prose(source)
  }

  mutating func environment(_ rows: [DocRow]) {
    section("ENVIRONMENT")
    tags(rows) { page, row in
      page.macro("It Ev", [row.name])
      page.sentence(row.summary)
    }
  }

  mutating func files(_ rows: [DocRow]) {
    section("FILES")
    tags(rows) { page, row in
      page.macro("It Pa", [row.name])
      page.sentence(row.summary)
    }
  }

  mutating func exitStatus(_ rows: [ExitCodeRow], hasAdvice: Bool) {
    section("EXIT STATUS")
    tags(rows) { page, row in
      page.macro("It", [String(row.code)])
      page.sentence(row.summary)
      if hasAdvice, !row.advice.isEmpty { page.sentence("A script \(row.advice)") }
    }
  }

  mutating func examples(_ examples: [Example]) {
    section("EXAMPLES")
    for (index, example) in examples.enumerated() {
      if index > 0 { raw(".Pp") }
      prose(example.explanation + ":")
      literal([example.commandLine])
    }
  }

  /// Cross references, by section and name, each once.
  mutating func seeAlso(_ pages: [(name: String, section: String)], except title: String) {
    // A page of section 5 may have the name of a command.
    let sorted = pages.filter { $0.name != title || $0.section == "5" }.map {
      [$0.section, $0.name]
    }.uniqued()
      .sorted { $0.lexicographicallyPrecedes($1) }
    section("SEE ALSO")
    for (index, page) in sorted.enumerated() {
      let words = "\(Self.name(page[1])) \(page[0])"
      raw(".Xr \(words)" + (index < sorted.count - 1 ? " ," : ""))
    }
  }

  mutating func tags<Row>(_ rows: [Row], _ write: (inout Mdoc, Row) -> Void) {
    raw(".Bl -tag -width Ds")
    for row in rows { write(&self, row) }
    raw(".El")
  }
}

extension OptionDoc {
  /// As "Fl p , Fl \-profile Ar NAME".
  fileprivate var inList: String {
    let forms = (short.map { [String($0)] } ?? []) + names.map { String($0.dropFirst()) }
    return forms.map { "Fl \(Mdoc.argument($0))" }.joined(separator: " , ") + value
  }

  fileprivate var inSynopsis: String {
    let form = short.map { String($0) } ?? "-\(long)"
    return "Fl \(Mdoc.argument(form))" + value
  }

  private var value: String { valueName.map { " Ar \(Mdoc.argument($0))" } ?? "" }
}
