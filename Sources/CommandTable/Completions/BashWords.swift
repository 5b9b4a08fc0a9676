// The functions of the bash script that read the line.
extension BashCompletion {
  var split: String {
    #"""
    # Takes the line up to the cursor apart. Readline's own words will not do: they end at each ':',
    # '=' and '&', and so inside of an URL. Sets words (unquoted; the last is being typed), quote (the
    # one that is still open) and kept, how much of the last word stands before what readline will
    # replace, which is $1.
    _\#(name)_split() {
      local line=${COMP_LINE:0:COMP_POINT} word= escaped= begun= char
      local -i at start
      start=$((${#line} - ${#1}))
      words=() quote= kept=0
      for ((at = 0; at < ${#line}; at++)); do
        ((at == start)) && kept=${#word}
        char=${line:at:1}
        if [[ $escaped ]]; then
          case $quote in
          \$) printf -v char %b "\\$char" ;;
          \") [[ $char == [\"\\\$\`] ]] || word+=\\ ;;
          esac
          word+=$char escaped=
          continue
        fi
        case $quote$char in
        \\ | \"\\ | \$\\) escaped=1 begun=1 ;;
        \'\' | \"\" | \$\') quote= ;;
        \' | \") quote=$char begun=1 ;;
        \$)
          if [[ ${line:at+1:1} == \' ]]; then quote=\$ at+=1; else word+=$char; fi
          begun=1 ;;
        ' ' | $'\t' | $'\n')
          [[ $begun ]] && words+=("$word")
          word= begun= ;;
        *) word+=$char begun=1 ;;
        esac
      done
      ((start == at)) && kept=${#word}
      words+=("$word")
    }

    """#
  }

  var waiting: String {
    """
    # Sets option to the one in a word, such as -o in -no, whose value is the next word.
    _\(name)_waiting() {
      local -i at
      if [[ $1 == --* ]]; then
        _\(name)_value "$command $1" && option=$1
        return
      fi
      for ((at = 1; at < ${#1}; at++)); do
        if _\(name)_value "$command -${1:at:1}"; then
          ((at == ${#1} - 1)) && option=-${1:at:1}
          return
        fi
      done
    }

    # Keeps an option that the commands which completion calls are given as well. A home or a variable
    # in front of its value is looked up, and nothing else is evaluated.
    _\(name)_forward() {
      local value=$2 name
      case $1 in
      \(tool.forwarded.isEmpty ? "-" : tool.forwarded.joined(separator: " | "))) ;;
      *) return ;;
      esac
      case $value in
      '~/'*) value=$HOME/${value#??} ;;
      \\$[A-Za-z_]*)
        name=${value#?}
        name=${name%%[!A-Za-z0-9_]*}
        value=${!name}${value#?"$name"} ;;
      esac
      forwarded+=("$1=$value")
    }

    """
  }
}
