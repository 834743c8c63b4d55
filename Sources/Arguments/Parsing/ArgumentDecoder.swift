internal import Primitives

enum ArgumentDecoder {
  /// The arguments, and how they could have named standard input, which none of them does.
  ///
  /// `globals` are the global options that are given, `globalInputs` those of them that are standard input.
  static func arguments<C: Command>(
    of command: C.Type, _ assignments: [Assignment], _ words: [String],
    beside globals: Set<String> = [], _ globalInputs: [Assignment] = []
  ) throws(UsageError) -> (arguments: C.Arguments, openInput: OpenInput?) {
    var arguments = C.Arguments()
    let options = C.options
    try apply(assignments, options, to: &arguments)
    var given = Dictionary(uniqueKeysWithValues: globals.map { ($0, "--\($0)") })
    for assignment in assignments {
      let spelling = assignment.spelling
      given[options[assignment.option].doc.long] = spelling
      // A row may name the negative of a switch alone.
      if assignment.setting == .off { given[String(spelling.dropFirst(2))] = spelling }
    }
    for assignment in assignments {
      try refuseConflict(assignment, options[assignment.option].doc, given)
    }
    let operands = C.operands
    let substitutes = operands.flatMap(\.doc.substitutes).filter { given[$0] != nil }
    let remaining = operands.filter { !$0.doc.substitutes.contains(where: substitutes.contains) }
    var inputs = (globalInputs + assignments.filter { $0.isInput(of: options[$0.option].doc) })
      .map { "'\($0.spelling)'" }
    let place = substitutes.first.flatMap { given[$0] }
    let applied = try apply(words, remaining, beside: place, to: &arguments)
    inputs += applied.inputs
    if inputs.count > 1 {
      throw UsageError("standard input is named twice: for \(inputs[0]) and \(inputs[1])")
    }
    do throws(ValueError) {
      try C.check(arguments)
    } catch {
      throw UsageError(error.reason)
    }
    guard inputs.isEmpty else { return (arguments, nil) }
    let open = applied.openInput.map { OpenInput("-", substitute: $0.substitutes.first) }
    return (arguments, open ?? C.openInput(arguments).map { OpenInput($0) })
  }

  /// Applies every valid assignment, then throws the first error.
  static func apply<Arguments>(
    _ assignments: [Assignment], _ options: [Option<Arguments>], to arguments: inout Arguments
  ) throws(UsageError) {
    var given: [Int: Assignment] = [:]
    var first: UsageError?
    for assignment in assignments {
      do throws(UsageError) {
        try apply(assignment, after: given, options, to: &arguments)
      } catch {
        first = first ?? error
      }
      given[assignment.option] = assignment
    }
    if let first { throw first }
  }

  /// Assigns the words from left to right; enough are kept for the required operands.
  ///
  /// `substitute` is an option that stands in the place of others.
  /// - Returns: the operands that are standard input, and the one that could be it and has no word.
  @discardableResult
  static func apply<Arguments>(
    _ words: [String], _ operands: [Operand<Arguments>], beside substitute: String? = nil,
    to arguments: inout Arguments
  ) throws(UsageError) -> (inputs: [String], openInput: OperandDoc?) {
    var rest = words[...]
    var inputs: [String] = []
    var openInput: OperandDoc?
    for (index, operand) in operands.enumerated() {
      let reserved = operands[(index + 1)...].count { $0.doc.isRequired }
      let spare = max(0, rest.count - reserved)
      if operand.doc.isRequired, spare == 0 {
        let absent = operands[index...].filter(\.doc.isRequired)[rest.count]
        throw UsageError("operand \(absent.doc.name) is missing")
      }
      let taken = operand.doc.isMany ? spare : min(1, spare)
      if taken == 0, operand.doc.isInput { openInput = operand.doc }
      for word in rest.prefix(taken) {
        do throws(ValueError) {
          if !operand.doc.allowsEmpty { try requireText(word) }
          try operand.apply(&arguments, word)
          if operand.doc.isInput, word == "-" || word == "@-" { inputs.append(operand.doc.name) }
        } catch {
          throw UsageError("invalid \(operand.doc.name) \(Phrase.quoted(word)): \(error.reason)")
        }
      }
      rest = rest.dropFirst(taken)
    }
    if let surplus = rest.first {
      let place = substitute.map { " with '\($0)'" } ?? ""
      var error = UsageError("unexpected operand \(Phrase.quoted(surplus))\(place)")
      error.word = surplus
      throw error
    }
    return (inputs, openInput)
  }

  private static func apply<Arguments>(
    _ assignment: Assignment, after given: [Int: Assignment], _ options: [Option<Arguments>],
    to arguments: inout Arguments
  ) throws(UsageError) {
    let option = options[assignment.option]
    if option.doc.repetition == .once, given[assignment.option] != nil {
      throw UsageError("option '--\(option.doc.long)' may be given only once")
    }
    try refuseExcluded(assignment, given.values, options)
    do throws(ValueError) {
      if case .text(let text) = assignment.setting, !option.doc.allowsEmpty {
        try requireText(text)
      }
      try option.apply(&arguments, assignment.setting)
    } catch {
      throw invalid(assignment, error)
    }
  }

  /// Refuses what a script passes if its variable is not set: it would mean the root of a server, or a
  /// requirement that everything meets.
  private static func requireText(_ text: String) throws(ValueError) {
    guard text.utf8.contains(where: { !$0.isSpace }) else { throw ValueError("it is empty") }
  }

  private static func refuseExcluded<Arguments>(
    _ assignment: Assignment, _ earlier: some Collection<Assignment>,
    _ options: [Option<Arguments>]
  ) throws(UsageError) {
    guard let set = options[assignment.option].doc.exclusiveSet else { return }
    let rival = earlier.first {
      $0.option != assignment.option && options[$0.option].doc.exclusiveSet == set
    }
    if let rival {
      throw UsageError(
        "'\(rival.spelling)' and '\(assignment.spelling)' cannot be used together")
    }
  }

  /// Holds an option to the others that its row names.
  private static func refuseConflict(
    _ assignment: Assignment, _ option: OptionDoc, _ given: [String: String]
  ) throws(UsageError) {
    if let rival = option.excludes.compactMap({ given[$0] }).first {
      throw UsageError("'\(assignment.spelling)' and '\(rival)' cannot be used together")
    }
    guard !option.needs.isEmpty, !option.needs.contains(where: { given[$0] != nil }) else { return }
    let needed = Phrase.alternatives(option.needs.map { "'--\($0)'" })
    throw UsageError("'\(assignment.spelling)' needs \(needed)")
  }

  private static func invalid(_ assignment: Assignment, _ error: ValueError) -> UsageError {
    let isConfiguration = assignment.isConfiguration
    guard case .text(let text) = assignment.setting else {
      return UsageError(error.reason, isConfiguration: isConfiguration)
    }
    return UsageError(
      "invalid value \(Phrase.quoted(text)) for '\(assignment.spelling)': \(error.reason)",
      isConfiguration: isConfiguration)
  }
}

extension Assignment {
  func isInput(of option: OptionDoc) -> Bool {
    if case .text(let text) = setting { option.isInput(text) } else { false }
  }
}
