import Primitives

/// The functions of the fish completion.
struct FishScript {
  let catalog: CommandCatalog

  private var program: String { catalog.program.name }
  private var name: String { catalog.program.identifier }

  static func quoted(_ text: String) -> String {
    "'" + ShellWord.escaping("\\'", in: text) + "'"
  }

  func text(_ scopes: [CompletionScope]) -> String {
    let values = scopes.flatMap { scope in
      scope.options.filter(\.takesValue).flatMap { option in
        option.forms.map { Self.quoted("\(scope.path):\($0)") }
      }
    }
    let globals = catalog.documentedGlobals.filter(\.takesValue).flatMap { option in
      option.forms.map { Self.quoted("*:\($0)") }
    }
    let steps = scopes.flatMap { scope in
      scope.words.map { Self.quoted("\(scope.path):\($0.name)") }
    }
    let verbatim = scopes.filter { $0.operands.last?.arity == .verbatim }.map { scope in
      Self.quoted("\(scope.path):\(scope.operands.count - 1)")
    }
    return #"""
      # fish completion for \#(program), generated from its command table

      # Whether an option (second argument) of a command (first) takes a value.
      function __\#(name)_takes_value
      \#(match("$argv[1]:$argv[2]", values + globals))
      end

      # Whether a word (second argument) is a command below a command (first).
      function __\#(name)_is_command
      \#(match("$argv[1]:$argv[2]", steps))
      end

      # Whether operand number (second argument) of a command (first) begins a foreign command line.
      function __\#(name)_is_verbatim
      \#(match("$argv[1]:$argv[2]", verbatim))
      end

      # Prints the command before the cursor, and how many operands it has.
      function __\#(name)_place
          set -l words (commandline -opc)
          set -e words[1]
          set -l scope ''
          set -l count 0
          set -l skip 0
          set -l literal 0
          for word in $words
              if test $skip = 1
                  set skip 0
                  continue
              end
              if test $literal = 0
                  switch $word
                      case --
                          set literal 1
                          continue
                      case '--*=*'
                          continue
                      case '--*'
                          __\#(name)_takes_value "$scope" $word; and set skip 1
                          continue
                      case '-?*'
                          set -l letters (string split '' -- (string sub -s 2 -- $word))
                          for index in (seq (count $letters))
                              if __\#(name)_takes_value "$scope" -$letters[$index]
                                  test $index = (count $letters); and set skip 1
                                  break
                              end
                          end
                          continue
                  end
              end
              if test $count = 0 -a $literal = 0; and __\#(name)_is_command "$scope" $word
                  set scope (string trim -- "$scope $word")
              else if test -z "$scope"
                  echo external
                  echo 0
                  return
              else
                  __\#(name)_is_verbatim "$scope" $count; and set literal 1
                  set count (math $count + 1)
              end
          end
          echo $scope
          echo $count
      end

      # Whether the cursor is behind a command, and at the operand of a number if one is given.
      function __\#(name)_at
          set -l place (__\#(name)_place)
          test "$place[1]" = "$argv[1]"; or return 1
          test (count $argv) = 1; or test "$place[2]" = "$argv[2]"
      end

      # Prints the values of a kind that the program itself knows.
      function __\#(name)_dynamic
          set -l words (commandline -opc)
          command $words[1] __complete $argv[1] -- $words[2..-1] 2>/dev/null </dev/null
      end

      # Prints the names of external commands.
      function __\#(name)_external
          set -l files $PATH/\#(program)-*
          for file in $files
              test -x $file; and string replace -r '.*/\#(program)-' '' -- $file
          end
      end


      """#
  }

  /// A body that succeeds when the subject matches one of the quoted patterns.
  private func match(_ subject: String, _ patterns: [String]) -> String {
    let lines =
      patterns.isEmpty
      ? []
      : [
        "    switch \"\(subject)\"", "        case " + patterns.joined(separator: " "),
        "            return 0", "    end",
      ]
    return (lines + ["    return 1"]).joined(separator: "\n")
  }
}
