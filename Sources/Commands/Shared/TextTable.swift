import POSIX
import Primitives

/// Rows of cells: aligned under headings for a person, lines with tabs for a program.
struct TextTable {
  /// A text with what it means.
  struct Cell: ExpressibleByStringLiteral {
    let text: String
    var tone = Tone.plain

    init(_ text: String, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }

    init(stringLiteral text: String) { self.init(text) }

    /// When something ends, in red if it has.
    init(_ end: Timestamp, at now: Timestamp) {
      self.init(Age.text(of: end, at: now), end <= now ? .bad : .plain)
    }
  }

  let headings: [String]
  let rows: [[Cell]]

  init(_ headings: String..., rows: [[Cell]]) {
    self.headings = headings
    self.rows = rows
  }

  /// The lines for a person, cut to a width.
  fileprivate func lines(width: Int?, colours: Bool) -> [String] {
    let visible = rows.map { row in row.map { Cell(Visible.line($0.text), $0.tone) } }
    // The last columns may be absent from all rows.
    let count = rows.map(\.count).max() ?? 0
    let all = [headings.prefix(count).map { Cell($0) }] + visible
    let widths = headings.indices.map { column in
      all.map { column < $0.count ? $0[column].text.count : 0 }.max() ?? 0
    }
    return all.map { row in
      var line = ""
      var left = width ?? .max
      for (column, cell) in row.enumerated() where left > 0 {
        if column > 0 {
          line += "  "
          left -= 2
        }
        var text = cell.text
        if text.count > left { text = text.prefix(max(0, left - 1)) + "…" }
        let padding = column == row.count - 1 ? 0 : min(widths[column], left) - text.count
        line +=
          cell.tone.coloured(text, if: colours) + String(repeating: " ", count: max(0, padding))
        left -= max(widths[column], text.count)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
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
    for line in table.lines(width: width, colours: colours) { output.write(line + "\n") }
  }
}
