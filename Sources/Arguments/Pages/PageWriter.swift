/// Writes the pages of the manual; what goes into a page of which kind, and in which order.
struct PageWriter {
  let catalog: CommandCatalog
  let date: ManualDate

  private var name: String { catalog.program.name }

  func program() -> String {
    var page = Mdoc(catalog, title: name, section: "1", date: date)
    page.name(name, catalog.program.summary)
    page.section("SYNOPSIS")
    page.macro("Nm", [name])
    page.raw(".Op Ar option ...")
    page.raw(".Ar command")
    page.raw(".Op Ar argument ...")
    page.section("DESCRIPTION")
    page.prose(catalog.program.description)
    for group in catalog.visibleEntries.map(\.page.group).uniqued() {
      page.subsection(group == .none ? "Commands" : group.title)
      let entries = catalog.visibleEntries.filter { $0.page.group == group }
      page.tags(entries) { page, entry in
        page.raw(".It Xr \(Mdoc.name("\(name)-\(entry.page.name)")) 1")
        page.sentence(entry.page.summary)
      }
    }
    page.section("GLOBAL OPTIONS")
    page.prose("They may be before or after the command.")
    page.options(catalog.documentedGlobals + catalog.versionOption, catalog)
    page.environment(catalog.environment)
    page.files(catalog.files)
    page.exitStatus(catalog.exitCodes, hasAdvice: true)
    page.examples(catalog.program.examples)
    let commands = catalog.visibleEntries.map { Reference.command([$0.page.name]) }
    let formats = catalog.formats.map { (name: "\(name)-\($0.name)", section: "5") }
    page.seeAlso(
      (commands + catalog.topics.map { .topic($0.name) }).map(catalog.page) + formats,
      except: name)
    return page.text
  }

  func command(_ entry: CommandCatalog.Entry) -> String {
    let title = "\(name)-\(entry.page.name)"
    let forms = [entry.command].compactMap(\.self) + entry.visibleSubcommands
    var page = Mdoc(catalog, title: title, section: "1", date: date)
    page.name(title, entry.page.summary)
    page.section("SYNOPSIS")
    for form in forms { page.synopsis(form, name) }
    page.section("DESCRIPTION")
    page.prose(entry.page.description)
    if let command = entry.command { page.takes(command, catalog) }
    if let json = entry.page.json { page.json(json) }
    for command in entry.visibleSubcommands {
      page.subsection(([name] + command.path).joined(separator: " "))
      page.prose(command.page.description)
      page.takes(command, catalog)
      if let json = command.page.json { page.json(json) }
    }
    let pages = [entry.page] + entry.visibleSubcommands.map(\.page)
    page.subsection("Global options")
    let globals = catalog.documentedGlobals.map { "--\($0.long)" }.joined(separator: ", ")
    page.prose("Before or after the command also: \(globals). {\(name)(1)} describes them.")
    let rows = catalog.exitCodes.filter { row in
      pages.contains { catalog.exitCodes(of: $0).contains(row) }
    }
    page.exitStatus(rows, hasAdvice: false)
    page.examples(pages.flatMap(\.examples).uniqued())
    let references = pages.flatMap(\.seeAlso).compactMap(catalog.reference).map(catalog.page)
    page.seeAlso([(name: name, section: "1")] + references, except: title)
    return page.text
  }

  func format(_ format: FormatPage) -> String {
    let title = "\(name)-\(format.name)"
    var page = Mdoc(catalog, title: title, section: "5", date: date)
    page.name(title, format.summary)
    page.section("DESCRIPTION")
    page.prose(format.text)
    for section in format.sections {
      page.subsection(section.title)
      page.tags(section.rows) { page, row in
        page.macro("It Va", [row.key])
        page.sentence(row.summary)
        page.sentence("Type: \(row.type)")
        if let text = row.defaultText { page.sentence("Default: `\(text)`") }
        page.sentence("Example: `\(row.example)`")
      }
    }
    page.files(catalog.files)
    page.seeAlso([(name: name, section: "1")], except: title)
    return page.text
  }

  func topic(_ topic: Topic) -> String {
    let title = "\(name)-\(topic.name)"
    var page = Mdoc(catalog, title: title, section: "7", date: date)
    page.name(title, topic.summary)
    page.section("DESCRIPTION")
    page.prose(topic.text)
    page.seeAlso([(name: name, section: "1")], except: title)
    return page.text
  }
}
