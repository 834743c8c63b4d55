/// Options that help, manual and completions list together.
package struct OptionSection: Sendable {
  /// `nil` for the options without a heading.
  package let heading: Heading?

  package let options: [OptionDoc]
}

extension [OptionDoc] {
  /// The options by heading.
  ///
  /// Those without a heading come first; the headings follow in the order of their first option.
  package var sections: [OptionSection] {
    let headings = compactMap(\.group).uniqued()
    return ([nil] + headings).map { heading in
      OptionSection(heading: heading, options: filter { $0.group == heading })
    }
    .filter { !$0.options.isEmpty }
  }
}

extension Array {
  /// The rows of a part of the arguments: `ConnectionArguments.options.of(\.connection)`.
  package func of<Part, Whole>(
    _ part: any Option<Whole>.Path<Part>
  ) -> [Option<Whole>] where Element == Option<Part> {
    map { row in
      Option<Whole>(row.doc) { (whole, setting) throws(ValueError) in
        try row.apply(&whole[keyPath: part], setting)
      }
    }
  }

  /// Rows under one heading: `mainRows + .group(.request, requestRows)`.
  package static func group<Arguments>(
    _ heading: Heading, _ rows: [Option<Arguments>]
  ) -> [Option<Arguments>] where Element == Option<Arguments> {
    rows.map { $0.group(heading) }
  }
}
