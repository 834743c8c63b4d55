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
    let formats = catalog.formats.map { (name: "\(name)-\($0.topic.name)", section: "5") }
    page.seeAlso(
      (commands + catalog.topics.map { .topic($0.name) }).map(catalog.page) + formats,
      except: name)
    return page.text
  }

  func command(_ entry: CommandCatalog.Entry) -> String {
    let (info, command, path) = (entry.page, entry.command, entry.path)
    let subcommands = entry.visibleSubcommands
    let title = catalog.page(of: .command(path)).name
    var page = Mdoc(catalog, title: title, section: "1", date: date)
    page.name(title, info.summary)
    page.section("SYNOPSIS")
    if let command { page.synopsis(command, name) }
    if !subcommands.isEmpty {
      page.raw(".Nm \(name) Cm \(path.joined(separator: " "))")
      page.raw(".Ar command")
      page.raw(".Op Ar argument ...")
    }
    page.section("DESCRIPTION")
    page.prose(info.description)
    if let command { page.takes(command, catalog) }
    if let json = info.output?.json { page.json(json) }
    if !subcommands.isEmpty {
      page.paragraph("The commands are:")
      page.tags(subcommands) { page, command in
        page.raw(".It Xr \(Mdoc.name(catalog.page(of: .command(command.path)).name)) 1")
        page.sentence(command.page.summary)
      }
    }
    page.subsection("Global options")
    let globals = catalog.documentedGlobals.map { "--\($0.long)" }.joined(separator: ", ")
    page.prose("Before or after the command also: \(globals). {\(name)(1)} describes them.")
    page.exitStatus(catalog.exitCodes(of: info), hasAdvice: false)
    page.examples(info.examples)
    let above = path.count > 1 ? [catalog.page(of: .command([path[0]]))] : []
    let references = info.seeAlso.compactMap(catalog.reference).map(catalog.page)
    page.seeAlso([(name: name, section: "1")] + above + references, except: title)
    return page.text
  }

  func format(_ format: FormatPage) -> String {
    let title = "\(name)-\(format.topic.name)"
    var page = Mdoc(catalog, title: title, section: "5", date: date)
    page.name(title, format.topic.summary)
    page.section("DESCRIPTION")
    page.prose(format.topic.text)
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
