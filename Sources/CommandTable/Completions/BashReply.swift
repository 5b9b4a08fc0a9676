// The functions of the bash script that answer readline.
extension BashCompletion {
  var offers: String {
    """
    # Offers what kind and list say, for the word $2 with $1 before it.
    _\(name)_offer() {
      local each
      case $kind in
      # Readline itself is best at names of files.
      file) compopt -o default ;;
      directory) compopt -o dirnames ;;
      words) for each in $list; do found+=("$1$each"); done ;;
      call) _\(name)_call "$1" "$2" ;;
      esac
      _\(name)_reply "$1$2"
    }

    """
  }

  var calls: String {
    #"""
    # Finds what the tool's own command prints: texts, each followed by a NUL.
    _\#(name)_call() {
      local each program=${words[0]/#'~/'/$HOME/}
      while IFS= read -r -d '' each; do
        found+=("$1$each")
      done < <("$program" "${forwarded[@]}" "$list" -- "$2" 2>/dev/null)
    }

    """#
  }

  var reply: String {
    #"""
    # Gives readline those of the texts in found that begin with $1.
    _\#(name)_reply() {
      local each common
      local -a fit=()
      for each in "${found[@]}"; do [[ $each == "$1"* ]] && fit+=("$each"); done
      ((${#fit[@]})) || return
      _\#(name)_common "${fit[@]}"
      if ((${#fit[@]} > 1)) && [[ $common != "$1" ]]; then
        # Readline would take what is common to the quoted texts, which can end inside of a quote.
        fit=("$common")
        compopt -o nospace
      fi
      COMPREPLY=()
      for each in "${fit[@]}"; do
        _\#(name)_quote "${each:kept}"
        COMPREPLY+=("$each")
      done
      ((${#fit[@]} > 1)) || return
      _\#(name)_common "${COMPREPLY[@]}"
      # An empty text keeps readline from inserting such an end, and the others are still listed.
      [[ $common == "$typed" ]] || COMPREPLY+=('')
    }

    # Sets common to the longest text that all begin with.
    _\#(name)_common() {
      local each
      common=$1
      for each; do
        while [[ $each != "$common"* ]]; do common=${common%?}; done
      done
    }

    # Sets each to a text quoted as the open quote asks for.
    _\#(name)_quote() {
      each=$1
      case $quote in
      '') [[ $each ]] && printf -v each %q "$each" ;;
      \')  each=${each//\'/\'\\\'\'} ;;
      *)
        each=${each//\\/\\\\}
        if [[ $quote == \" ]]; then
          each=${each//\"/\\\"} each=${each//\$/\\\$} each=${each//\`/\\\`}
        else
          each=${each//\'/\\\'}
        fi ;;
      esac
    }

    """#
  }
}
