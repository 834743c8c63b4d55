import Foundation
import Testing

/// The folders of the library are layers: a folder uses only those of the rows above its own.
@Suite("Folders of the library")
struct FolderTests {
  /// The rows of the table in ARCHITECTURE.md, lowest first: its folders are a layer.
  private static let layers: [[String]] = {
    let lines = (Tree.text(of: "ARCHITECTURE.md") ?? "").components(separatedBy: "\n")
    let rows = lines.drop { $0 != "| layer | what it has |" }.dropFirst(2).prefix {
      $0.hasPrefix("|")
    }
    return rows.map { row in
      let cells = row.components(separatedBy: "|")
      return cells[1].components(separatedBy: ",").map { path in
        path.split(separator: "/").last.map { $0.filter(\.isLetter) } ?? ""
      }
    }
  }()

  private static let files = Tree.sources.filter { $0.module == "SDKCore" }

  /// The rank of each folder.
  private static let ranks = Dictionary(
    uniqueKeysWithValues: layers.enumerated().flatMap { rank, folders in
      folders.map { ($0, rank) }
    })

  @Test("are those of the table")
  func folders() {
    #expect(Set(Self.files.map(\.folder)) == Set(Self.ranks.keys))
    #expect(Self.layers.count > 5)
  }

  @Test("use lower ones only, and those of one layer in one direction")
  func arrows() {
    let names = Names(Self.files)
    #expect(names.types.count > 200)
    var level: Set<[String]> = []
    for file in Self.files {
      for line in file.code {
        for (word, isMember) in line.text.identifiers {
          let homes = isMember ? names.members[word] : names.types[word]
          guard let home = homes, home != file.folder, let rank = Self.ranks[home],
            let own = Self.ranks[file.folder]
          else { continue }
          #expect(rank <= own, "\(file):\(line.number) uses \(word) of \(home)")
          if rank == own { level.insert([file.folder, home]) }
        }
      }
    }
    for arrow in level { #expect(!level.contains(arrow.reversed()), "\(arrow)") }
  }

  @Test("are read word by word, members apart from types")
  func words() {
    let found = "let a: B.C = d.e(.f, G())".identifiers
    #expect(found.map(\.word) == ["let", "a", "B", "C", "d", "e", "f", "G"])
    #expect(found.filter(\.isMember).map(\.word) == ["C", "e", "f"])
  }
}

/// Where the names of the library are declared, if in one folder only.
private struct Names {
  /// The folders of the types at the top of files.
  private(set) var types: [String: String] = [:]
  /// The folders of members that an extension of another folder's type adds, and nothing else has.
  private(set) var members: [String: String] = [:]

  init(_ files: [Tree.File]) {
    var homes: [String: Set<String>] = [:]
    for file in files {
      for line in file.code where line.text.utf8.first != UInt8(ascii: " ") {
        if let name = line.text.declared(by: Self.kinds) {
          homes[name, default: []].insert(file.folder)
        }
      }
    }
    types = homes.compactMapValues { $0.count == 1 ? $0.first : nil }
    var added: [String: String] = [:]
    var count: [String: Int] = [:]
    for file in Tree.sources {
      var isForeign = false
      for line in file.code {
        let start = line.text.utf8.prefix(3)
        if let first = start.first, first != UInt8(ascii: " "), first != UInt8(ascii: "}") {
          let type = line.text.declared(by: ["extension"])
          isForeign = type != nil && file.module == "SDKCore" && types[type ?? ""] != file.folder
        }
        guard let name = line.text.declared(by: Self.memberKinds) else { continue }
        count[name, default: 0] += 1
        if isForeign, start.prefix(2).elementsEqual("  ".utf8), start.last != UInt8(ascii: " ") {
          added[name] = file.folder
        }
      }
    }
    members = added.filter { count[$0.key] == 1 }
  }

  private static let kinds = ["struct", "class", "enum", "actor", "protocol", "typealias"]
  private static let memberKinds = ["func", "var", "let", "case"]
}

extension Tree.File {
  /// The folder of a file of the library.
  fileprivate var folder: String {
    let parts = path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : ""
  }
}

extension String {
  /// The identifiers of a line of code; a member stands behind a dot.
  fileprivate var identifiers: [(word: String, isMember: Bool)] {
    var found: [(word: String, isMember: Bool)] = []
    let isWord = { (byte: UInt8) in
      byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
        || (0x41...0x5A).contains(byte & 0xDF)
    }
    var previous = UInt8(ascii: " ")
    var rest = Array(utf8)[...]
    while let first = rest.first {
      let word = rest.prefix(while: isWord)
      if !word.isEmpty {
        found.append((String(decoding: word, as: UTF8.self), previous == UInt8(ascii: ".")))
      }
      previous = word.last ?? first
      rest = rest.dropFirst(max(1, word.count))
    }
    return found
  }

  /// The name that the line declares by one of these words; `nil` for a private one.
  fileprivate func declared(by kinds: [String]) -> String? {
    let words = identifiers.map(\.word)
    guard let index = words.firstIndex(where: kinds.contains), index + 1 < words.count,
      !words[..<index].contains(where: ["private", "fileprivate"].contains)
    else { return nil }
    return words[index + 1]
  }
}
