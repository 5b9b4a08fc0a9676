/// The completion script of bash; it needs nothing but bash 4.4.
struct BashCompletion {
  let tool: ToolShape

  var script: String {
    [
      head, split, waiting, values, offers, calls, reply, main,
      "complete -F _\(name) \(name)\n",
    ].joined(separator: "\n")
  }

  var name: String { tool.name }

  private var head: String {
    """
    # Completion of \(name) for bash, rendered from its table of commands.

    """
  }

  private var main: String {
    """
    _\(name)() {
      local IFS=$' \\t\\n' words quote kept typed=$2 command='' ended='' option='' kind list word
      local -i at count=0
      local -a forwarded=() found=()
      _\(name)_split "$2"
      for ((at = 1; at < ${#words[@]} - 1; at++)); do
        word=${words[at]}
        if [[ $option ]]; then
          _\(name)_forward "$option" "$word"
          option=
        elif [[ $ended || $word != -?* ]]; then
          if [[ $command ]]; then count+=1; else command=$word; fi
        elif [[ $word == -- ]]; then
          ended=1
        elif [[ $word == --*=* ]]; then
          _\(name)_forward "${word%%=*}" "${word#*=}"
        else
          _\(name)_waiting "$word"
        fi
      done
      word=${words[at]}
      if [[ $option ]]; then
        _\(name)_value "$command $option" && _\(name)_offer '' "$word"
      elif [[ ! $ended && $word == --*=* ]]; then
        _\(name)_value "$command ${word%%=*}=" && _\(name)_offer "${word%%=*}=" "${word#*=}"
      elif [[ ! $ended && $word == -* ]]; then
        kind=words
        _\(name)_options "$command"
        _\(name)_offer '' "$word"
      elif [[ ! $command ]]; then
        kind=words list='\(tool.commands.map(\.name).spaced)'
        _\(name)_offer '' "$word"
      else
        _\(name)_value "$command $count" && _\(name)_offer '' "$word"
      fi
    }

    """
  }

  /// The part that differs from tool to tool: what follows each option and stands in each place.
  private var values: String {
    let options = tool.optionsByCommand.flatMap { command, options in
      options.compactMap { option in
        option.value.map { value in
          let words = option.takesNextWord ? option.spellings : []
          return arm((words + [option.long + "="]).map { (command?.name, $0) }, value)
        }
      }
    }
    let arguments = tool.commands.flatMap { command in
      command.rows.arguments.enumerated().map { place, argument in
        arm([(command.name, argument.repeats ? "[0-9]*" : "\(place)")], argument.value)
      }
    }
    return """
      # Sets kind and list to what can stand after an option or in a place; fails where nothing can.
      _\(name)_value() {
        list=
        case $1 in
      \((options + arguments).joined(separator: "\n"))
        *) return 1 ;;
        esac
      }

      # Sets list to the options of a command.
      _\(name)_options() {
        case $1 in
      \(tool.commands.map(optionsArm).joined(separator: "\n"))
        *) list= ;;
        esac
        list+=' \(tool.rows.options.flatMap(\.spellings).spaced)'
      }

      """
  }

  private func optionsArm(_ command: CommandShape) -> String {
    "  \(command.name)) list='\(command.rows.options.flatMap(\.spellings).spaced)' ;;"
  }

  private func arm(_ places: [(command: String?, word: String)], _ value: ValueShape) -> String {
    let patterns = places.map { ($0.command ?? "*") + "\\ " + $0.word }
    let answer =
      switch value.completion {
      case .nothing: "kind=nothing"
      case .file: "kind=file"
      case .directory: "kind=directory"
      case .words(let choices): "kind=words list='\(choices.map(\.word).spaced)'"
      case .call(let command): "kind=call list=\(command)"
      }
    return "  \(patterns.joined(separator: " | "))) \(answer) ;;"
  }
}
