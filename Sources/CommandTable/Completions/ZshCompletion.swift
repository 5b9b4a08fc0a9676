/// The completion script of zsh, in terms of its `_arguments` (zshcompsys(1)).
struct ZshCompletion {
  let tool: ToolShape

  var script: String {
    ([main] + tool.commands.map(function) + [words, call, tail]).joined(separator: "\n")
  }

  private var name: String { tool.name }

  private var main: String {
    """
    #compdef \(name)
    # Completion of \(name) for zsh, rendered from its table of commands.

    _\(name)() {
      local context state state_descr line curcontext=$curcontext
      local -A opt_args
      local -a typed=("${(@)words[1,CURRENT-1]}")
      local -a every=(
    \(ZshSpec.options(of: nil, in: tool).map { "    " + $0 }.joined(separator: "\n"))
      )
      _arguments -s -S -C $every ':command: _\(name)_words commands' '*::: :->command' && return
      [[ $state == command ]] || return
      words=("$line[1]" "$words[@]")
      ((CURRENT += 1))
      curcontext=${curcontext%:*:*}:\(name)-$line[1]:
      (($+functions[_\(name)_at_$line[1]])) && _\(name)_at_$line[1]
    }

    """
  }

  private func function(_ command: CommandShape) -> String {
    let specs =
      ZshSpec.options(of: command, in: tool)
      + command.rows.arguments.map { ZshSpec.argument($0, of: command, in: tool) }
    return """
      _\(name)_at_\(command.name)() {
        _arguments -s -S $every\(specs.map { " \\\n    " + $0 }.joined())
      }

      """
  }

  private var words: String {
    let commands = tool.commands.map { Choice($0.name, $0.summary) }
    let cases = ([("commands", commands)] + tool.choices).map { key, choices in
      let list = choices.map { choice in
        (choice.word + (choice.help.isEmpty ? "" : ":" + choice.help.plain)).quotedForSh
      }
      return "  \(key)) choices=(\n" + list.map { "    \($0)\n" }.joined() + "    ) ;;\n"
    }
    return """
      _\(name)_words() {
        local -a choices
        case $1 in
      \(cases.joined())  esac
        _describe -t values value choices
      }

      """
  }
}

// Candidates that the tool itself knows.
extension ZshCompletion {
  private var call: String {
    """
    # Offers what the tool's own command $1 prints: texts, each followed by a NUL.
    _\(name)_call() {
      local -a found expl forwarded
      _\(name)_forward
      found=("${(@0)$("$(_\(name)_expand "$typed[1]")" "$forwarded[@]" $1 -- "${(Q)PREFIX}" 2>/dev/null)}")
      found=("${(@)found:#}")
      _wanted values expl value compadd -a found
    }

    # Collects the options that such a command is given as well.
    _\(name)_forward() {
      local word option
      for word in "${(@)typed[2,-1]}"; do
        case $option in
        \(forwarded(""))) forwarded+=("$option=$(_\(name)_expand "$word")") ;;
        esac
        option=
        case $word in
        \(forwarded(""))) option=$word ;;
        \(forwarded("=*"))) forwarded+=("${word%%=*}=$(_\(name)_expand "${word#*=}")") ;;
        esac
      done
    }

    # Undoes quotes; a home or a variable in front is looked up, and nothing else is evaluated.
    _\(name)_expand() {
      local word=$1 name
      case $word in
      '~/'*) print -rn -- "$HOME/${(Q)word#??}" ;;
      (\\"|)\\$[A-Za-z_]*)
        word=${(Q)word}
        name=${${word#?}%%[^A-Za-z0-9_]*}
        print -rn -- "${(P)name}${word#?$name}" ;;
      *) print -rn -- "${(Q)word}" ;;
      esac
    }

    """
  }

  private func forwarded(_ end: String) -> String {
    // Without such an option the pattern is one that no word matches.
    tool.forwarded.isEmpty ? "-" : tool.forwarded.map { $0 + end }.joined(separator: "|")
  }

  private var tail: String {
    """
    if [[ $funcstack[1] == _\(name) ]]; then
      _\(name) "$@"
    else
      compdef _\(name) \(name)
    fi

    """
  }
}
