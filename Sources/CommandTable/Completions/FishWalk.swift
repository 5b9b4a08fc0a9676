// The functions of the fish script that know where on the line the cursor is.
extension FishCompletion {
  var walk: String {
    """
    # Walks the words before the cursor, once for each state of the line, and sets
    # __\(id)_line to the command or nothing, the number of its arguments, and the forwarded options.
    function __\(name)_walk
        set -l now (commandline -pc | string collect)
        test "$now" = "$__\(id)_walked"; and return
        set -g __\(id)_walked $now
        set -l command ''
        set -l count 0
        set -l forwarded
        set -l option ''
        set -l ended ''
        for word in (commandline -opc)[2..]
            if test -n "$option"
                contains -- $option\(forwarded); and set -a forwarded $option=(__\(name)_expand $word)
                set option ''
            else if test -n "$ended"; or not string match -q -- '-?*' $word
                if test -z "$command"
                    set command $word
                else
                    set count (math $count + 1)
                end
            else if test "$word" = --
                set ended 1
            else if string match -q -- '--*=*' $word
                set -l parts (string split -m1 = -- $word)
                contains -- $parts[1]\(forwarded)
                and set -a forwarded $parts[1]=(__\(name)_expand $parts[2])
            else
                set option (__\(name)_waiting "$command" $word)
            end
        end
        set -g __\(id)_line "$command" $count $forwarded
    end

    function __\(name)_at
        __\(name)_walk
        test "$__\(id)_line[1]" = "$argv[1]"
    end

    function __\(name)_argument
        __\(name)_walk
        test "$__\(id)_line[1]" = $argv[1]; or return
        test $__\(id)_line[2] -eq $argv[2]; and return
        set -q argv[3]; and test $__\(id)_line[2] -ge $argv[2]
    end

    """
  }

  var waiting: String {
    """
    # Prints the option in a word, such as -o in -no, whose value is the next word.
    function __\(name)_waiting
        set -l letters $argv[2]
        if not string match -q -- '--*' $argv[2]
            set letters -(string split '' -- (string sub -s 2 -- $argv[2]))
        end
        while set -q letters[1]
            switch "$argv[1] $letters[1]"
                case \(spellings.map { $0.quotedForFish }.spaced)
                    set -q letters[2]; or printf '%s\\n' $letters[1]
                    return
            end
            set -e letters[1]
        end
    end

    """
  }

  /// `'command --name'` of each option whose value is the next word.
  private var spellings: [String] {
    let spellings = tool.optionsByCommand.flatMap { command, options in
      options.filter(\.takesNextWord).flatMap(\.spellings).map { (command?.name ?? "*") + " " + $0 }
    }
    return spellings.isEmpty ? ["-"] : spellings
  }

  private var forwarded: String { tool.forwarded.map { " " + $0 }.joined() }

  /// The tool's name as a variable's name.
  private var id: String { String(name.map { $0 == "-" ? "_" : $0 }) }
}

// Candidates that the tool itself knows.
extension FishCompletion {
  var call: String {
    """
    # Looks up a home or a variable in front of a word; nothing else is evaluated.
    function __\(name)_expand
        set -l variable (string match -r '^\\$(\\w+)' -- $argv[1])
        if string match -q -- '~/*' $argv[1]
            printf '%s\\n' $HOME(string sub -s 2 -- $argv[1])
        else if set -q variable[2]
            set -l length (math (string length -- $variable[1]) + 1)
            printf '%s\\n' "$$variable[2]"(string sub -s $length -- $argv[1])
        else
            printf '%s\\n' $argv[1]
        end
    end

    # Prints the word at the cursor as typed so far, without its quotes and without its option.
    function __\(name)_typed
        set -l typed (commandline -ct | string collect)
        string match -q -- '--*=*' $typed; and set typed (string split -m1 = -- $typed)[2]
        for open in '' '"' "'"
            string unescape -- $typed$open; and return
        end
        string unescape -- (string replace -r '\\\\\\\\$' '' -- $typed)
    end

    # Offers what the tool's own command prints: texts, each followed by a NUL. One with a tab cannot
    # be offered, as fish takes what follows the tab for its description.
    function __\(name)_call
        __\(name)_walk
        set -l program (__\(name)_expand (commandline -opc)[1])
        set -l prefix (__\(name)_typed | string collect)
        set -l offered
        for text in (command $program $__\(id)_line[3..] $argv[1] -- "$prefix" 2>/dev/null | string split0)
            string match -q -- '*'\\t'*' $text; or set -a offered $text
        end
        set -q offered[1]; and string join0 -- $offered | string split0
    end

    """
  }
}
