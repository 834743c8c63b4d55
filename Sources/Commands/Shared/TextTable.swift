import Arguments
import POSIX
import Pinning
import Primitives

/// Rows of cells: aligned under headings for a person, lines with tabs for a program.
struct TextTable {
  /// A text with what it means.
  struct Cell: ExpressibleByStringLiteral {
    let text: String
    var tone = Tone.plain
    /// What a person sees where the table is wider than the terminal; `nil` for the text.
    var brief: String?

    init(_ text: String, _ tone: Tone = .plain, brief: String? = nil) {
      self.text = text
      self.tone = tone
      self.brief = brief
    }

    init(stringLiteral text: String) { self.init(text) }

    /// A pin, whose beginning tells it from others.
    init(_ pin: Pin?) {
      self.init(pin?.description ?? "-")
      brief = pin.map { $0.description.prefix(15) + "…" }
    }

    /// A time, of which the day is enough.
    init(_ time: Timestamp) { self.init(time.description, brief: time.date) }

    /// When something ends, in red if it has.
    init(_ end: Timestamp, at now: Timestamp) {
      self.init(Age.text(of: end, at: now), end <= now ? .bad : .plain)
    }
  }

  let headings: [String]
  let rows: [[Cell]]

  init(_ headings: [String], rows: [[Cell]]) {
    self.headings = headings
    self.rows = rows
  }

  /// The table without the columns that say nothing.
  fileprivate var withoutEmptyColumns: TextTable {
    let used = headings.indices.filter { column in
      rows.contains { !["", "-"].contains($0[column].text) }
    }
    return TextTable(used.map { headings[$0] }, rows: rows.map { row in used.map { row[$0] } })
  }

  /// The lines for a person.
  ///
  /// A table that is too wide shows what is brief of its cells, and continues the text of its last column below.
  /// If that column has too little space, it stands on lines of its own, below its row; then the widest of the others
  /// are cut.
  fileprivate func lines(width: Int?, colours: Bool) -> [String] {
    let visible = rows.map { row in
      row.map { Cell(Visible.line($0.text), $0.tone, brief: $0.brief) }
    }
    let count = headings.count
    var all = [headings.map { Cell($0) }] + visible
    let width = width ?? .max
    if Self.total(widths(of: all)) > width {
      all = all.map { row in row.map { Cell($0.brief ?? $0.text, $0.tone) } }
    }
    let widths = widths(of: all)
    let rest = Array(widths.dropLast())
    guard !rest.isEmpty, Self.total(rest) + 2 + min(widths[count - 1], Self.leastWidth) > width
    else {
      return all.flatMap { lines(of: $0, widths, width: width, colours: colours) }
    }
    let fitted = Self.fitted(rest, to: width)
    return all.flatMap { row in
      lines(of: Array(row.prefix(count - 1)), fitted, width: width, colours: colours)
        + below(row[count - 1], width: width, colours: colours)
    }
  }

  /// The rows without headings, as lines that fit.
  func fitted(to width: Int?) -> [String] {
    Array(lines(width: width, colours: false).dropFirst())
  }

  private func widths(of rows: [[Cell]]) -> [Int] {
    headings.indices.map { column in
      rows.map { column < $0.count ? $0[column].text.columns : 0 }.max() ?? 0
    }
  }

  /// The columns of a line, with the space between them.
  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(2 * (widths.count - 1), +)
  }

  /// The widths, of which the widest are less, so that a line fits.
  private static func fitted(_ widths: [Int], to width: Int) -> [Int] {
    var widths = widths
    for _ in 0..<max(0, total(widths) - width) {
      guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] = max(1, widths[widest] - 1)
    }
    return widths
  }

  private func below(_ cell: Cell, width: Int, colours: Bool) -> [String] {
    let margin = "    "
    return PlainText.filled(cell.text, width: width - margin.count).map {
      margin + cell.tone.coloured(Self.cut($0, to: width - margin.count), if: colours)
    }
  }

  private func lines(
    of row: [Cell], _ widths: [Int], width: Int, colours: Bool
  ) -> [String] {
    var line = ""
    var left = width
    for (column, cell) in row.enumerated() {
      if column > 0 {
        line += "  "
        left -= 2
      }
      if column == widths.count - 1, column == headings.count - 1, cell.text.columns > left {
        let margin = String(repeating: " ", count: width - left)
        let pieces = PlainText.filled(cell.text, width: left)
          .map { cell.tone.coloured(Self.cut($0, to: left), if: colours) }
        return [line + pieces[0]] + pieces.dropFirst().map { margin + $0 }
      }
      let text = Self.cut(cell.text, to: min(widths[column], left))
      let padding = column == row.count - 1 ? 0 : widths[column] - text.columns
      line += cell.tone.coloured(text, if: colours) + String(repeating: " ", count: max(0, padding))
      left -= max(widths[column], text.columns)
    }
    while line.last == " " { line.removeLast() }
    return [line]
  }

  private static func cut(_ text: String, to width: Int) -> String {
    guard text.columns > width else { return text }
    var (left, kept) = (width - 1, "")
    for character in text {
      left -= character.columns
      guard left >= 0 else { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// Fewer columns than these are too narrow for text that goes on below.
  private static let leastWidth = 24
}

extension Context {
  /// Writes a table: for a person if one reads the data.
  func print(_ table: TextTable) {
    let colours = wantsColours
    guard isTerminal else {
      for row in table.rows {
        let cells = row.map { $0.tone.coloured(Visible.line($0.text), if: colours) }
        output.write(cells.joined(separator: "\t") + "\n")
      }
      return
    }
    guard !table.rows.isEmpty else { return }
    let width = terminal.width().map { $0 - 1 }
    for line in table.withoutEmptyColumns.lines(width: width, colours: colours) {
      output.write(line + "\n")
    }
  }
}
