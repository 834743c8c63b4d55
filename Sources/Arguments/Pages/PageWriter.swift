/// Writes the pages of the manual; what goes into a page of which kind, and in which order.
struct PageWriter {
  let manual: Manual
  let date: ManualDate

  private var name: String { manual.program.name }

  func program() -> String {
    var page = Mdoc(manual, title: name, section: "1", date: date)
    page.name(name, manual.program.summary)
    page.section("SYNOPSIS")
    page.macro("Nm", [name])
    page.raw(".Op Ar option ...")
    page.raw(".Ar command")
    page.raw(".Op Ar argument ...")
    page.section("DESCRIPTION")
    page.prose(manual.program.description)
    for group in manual.visibleEntries.map(\.page.group).uniqued() {
      page.subsection(group == .none ? "Commands" : group.title)
      let entries = manual.visibleEntries.filter { $0.page.group == group }
      page.tags(entries) { page, entry in
        page.raw(".It Xr \(Mdoc.name("\(name)-\(entry.page.name)")) 1")
        page.sentence(entry.page.summary)
      }
    }
    page.section("GLOBAL OPTIONS")
    page.prose("They may stand before or after the command.")
    page.options(manual.documentedGlobals + [Manual.version], manual)
    page.environment(manual.environment)
    page.files(manual.files)
    page.exitStatus(manual.exitCodes, hasAdvice: true)
    page.examples(manual.program.examples)
    let commands = manual.visibleEntries.map { Reference.command([$0.page.name]) }
    page.seeAlso(
      (commands + manual.topics.map { .topic($0.name) }).map(manual.page), except: name)
    return page.text
  }

  func command(_ entry: Manual.Entry) -> String {
    let title = "\(name)-\(entry.page.name)"
    let forms = [entry.command].compactMap(\.self) + entry.visibleSubcommands
    var page = Mdoc(manual, title: title, section: "1", date: date)
    page.name(title, entry.page.summary)
    page.section("SYNOPSIS")
    for form in forms { page.synopsis(form, name) }
    page.section("DESCRIPTION")
    page.prose(entry.page.description)
    if let command = entry.command { page.takes(command, manual) }
    if let json = entry.page.json { page.json(json) }
    for command in entry.visibleSubcommands {
      page.subsection(([name] + command.path).joined(separator: " "))
      page.prose(command.page.description)
      page.takes(command, manual)
      if let json = command.page.json { page.json(json) }
    }
    let pages = [entry.page] + entry.visibleSubcommands.map(\.page)
    page.subsection("Global options")
    let globals = manual.documentedGlobals.map { "--\($0.long)" }.joined(separator: ", ")
    page.prose("Before or after the command also: \(globals). They are told in {\(name)(1)}.")
    let rows = manual.exitCodes.filter { row in
      pages.contains { manual.exitCodes(of: $0).contains(row) }
    }
    page.exitStatus(rows, hasAdvice: false)
    page.examples(pages.flatMap(\.examples).uniqued())
    let references = pages.flatMap(\.seeAlso).compactMap(manual.reference).map(manual.page)
    page.seeAlso([(name: name, section: "1")] + references, except: title)
    return page.text
  }

  func topic(_ topic: Topic) -> String {
    let title = "\(name)-\(topic.name)"
    var page = Mdoc(manual, title: title, section: "7", date: date)
    page.name(title, topic.summary)
    page.section("DESCRIPTION")
    page.prose(topic.text)
    page.seeAlso([(name: name, section: "1")], except: title)
    return page.text
  }
}
