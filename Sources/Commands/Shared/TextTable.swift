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

  /// A table whose texts mean nothing good or bad.
  init(_ headings: String..., texts: [[String]]) {
    self.headings = headings
    rows = texts.map { row in row.map { Cell($0) } }
  }

  /// The lines for a person: the text of the last column goes on below, the rest is cut to the width.
  fileprivate func lines(width: Int?, colours: Bool) -> [String] {
    let visible = rows.map { row in
      row.map { Cell(Visible.line($0.text), $0.tone, brief: $0.brief) }
    }
    // The last columns may be absent from all rows.
    let count = rows.map(\.count).max() ?? 0
    var all = [headings.prefix(count).map { Cell($0) }] + visible
    let width = width ?? .max
    if widths(of: all).reduce(2 * (count - 1), +) > width {
      all = all.map { row in row.map { Cell($0.brief ?? $0.text, $0.tone) } }
    }
    let widths = widths(of: all)
    return all.flatMap { lines(of: $0, widths, width: width, colours: colours) }
  }

  private func widths(of rows: [[Cell]]) -> [Int] {
    headings.indices.map { column in
      rows.map { column < $0.count ? $0[column].text.count : 0 }.max() ?? 0
    }
  }

  private func lines(
    of row: [Cell], _ widths: [Int], width: Int, colours: Bool
  ) -> [String] {
    var line = ""
    var left = width
    for (column, cell) in row.enumerated() where left > 0 {
      if column > 0 {
        line += "  "
        left -= 2
      }
      let isLast = column == headings.count - 1
      if isLast, left >= Self.leastWidth, cell.text.count > left {
        let margin = String(repeating: " ", count: width - left)
        let pieces = PlainText.filled(cell.text, width: left)
          .map { cell.tone.coloured(Self.cut($0, to: left), if: colours) }
        return [line + pieces[0]] + pieces.dropFirst().map { margin + $0 }
      }
      let text = Self.cut(cell.text, to: left)
      let padding = column == row.count - 1 ? 0 : min(widths[column], left) - text.count
      line += cell.tone.coloured(text, if: colours) + String(repeating: " ", count: max(0, padding))
      left -= max(widths[column], text.count)
    }
    while line.last == " " { line.removeLast() }
    return [line]
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count > width ? text.prefix(max(0, width - 1)) + "…" : text
  }

  /// Fewer columns than these are too narrow for text that goes on below.
  private static let leastWidth = 12
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
