# Completion of cachectl for bash, rendered from its table of commands.

# Takes the line up to the cursor apart. Readline's own words will not do: they end at each ':',
# '=' and '&', and so inside of an URL. Sets words (unquoted; the last is being typed), quote (the
# one that is still open) and kept, how much of the last word stands before what readline will
# replace, which is $1.
_cachectl_split() {
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

# Sets option to the one in a word, such as -o in -no, whose value is the next word.
_cachectl_waiting() {
  local -i at
  if [[ $1 == --* ]]; then
    _cachectl_value "$command $1" && option=$1
    return
  fi
  for ((at = 1; at < ${#1}; at++)); do
    if _cachectl_value "$command -${1:at:1}"; then
      ((at == ${#1} - 1)) && option=-${1:at:1}
      return
    fi
  done
}

# Keeps an option that the commands which completion calls are given as well. A home or a variable
# in front of its value is looked up, and nothing else is evaluated.
_cachectl_forward() {
  local value=$2 name
  case $1 in
  --root) ;;
  *) return ;;
  esac
  case $value in
  '~/'*) value=$HOME/${value#??} ;;
  \$[A-Za-z_]*)
    name=${value#?}
    name=${name%%[!A-Za-z0-9_]*}
    value=${!name}${value#?"$name"} ;;
  esac
  forwarded+=("$1=$value")
}

# Sets kind and list to what can stand after an option or in a place; fails where nothing can.
_cachectl_value() {
  list=
  case $1 in
  *\ --root | *\ --root=) kind=directory ;;
  *\ --progress | *\ --progress=) kind=words list='auto always never' ;;
  *\ --color | *\ --color=) kind=words list='auto always never' ;;
  init\ --shared | init\ --shared=) kind=words list='private group all' ;;
  init\ --max-mb | init\ --max-mb=) kind=nothing ;;
  init\ --max-size | init\ --max-size=) kind=nothing ;;
  init\ --max-count | init\ --max-count=) kind=nothing ;;
  init\ --max-cost | init\ --max-cost=) kind=nothing ;;
  init\ --max-age | init\ --max-age=) kind=nothing ;;
  init\ --min-free | init\ --min-free=) kind=nothing ;;
  init\ --min-free-inodes | init\ --min-free-inodes=) kind=nothing ;;
  init\ --target | init\ --target=) kind=nothing ;;
  init\ --measure | init\ --measure=) kind=words list='bytes disk' ;;
  init\ --grace | init\ --grace=) kind=nothing ;;
  put\ --type | put\ --type=) kind=nothing ;;
  put\ --etag | put\ --etag=) kind=nothing ;;
  put\ --last-modified | put\ --last-modified=) kind=nothing ;;
  put\ --fresh-for | put\ --fresh-for=) kind=nothing ;;
  put\ --cost | put\ --cost=) kind=nothing ;;
  get\ -o | get\ --output | get\ --output=) kind=file ;;
  import\ --base-url | import\ --base-url=) kind=nothing ;;
  ls\ --sort | ls\ --sort=) kind=words list='used stored bytes cost key' ;;
  ls\ --limit | ls\ --limit=) kind=nothing ;;
  ls\ --after | ls\ --after=) kind=nothing ;;
  ls\ --prefix | ls\ --prefix=) kind=nothing ;;
  ls\ --host | ls\ --host=) kind=nothing ;;
  ls\ --older-than | ls\ --older-than=) kind=nothing ;;
  ls\ --type | ls\ --type=) kind=nothing ;;
  ls\ --larger-than | ls\ --larger-than=) kind=nothing ;;
  ls\ --format | ls\ --format=) kind=words list='table json jsonl' ;;
  stat\ --check | stat\ --check=) kind=nothing ;;
  rm\ --from | rm\ --from=) kind=file ;;
  rm\ --prefix | rm\ --prefix=) kind=nothing ;;
  rm\ --host | rm\ --host=) kind=nothing ;;
  rm\ --older-than | rm\ --older-than=) kind=nothing ;;
  gc\ --max-mb | gc\ --max-mb=) kind=nothing ;;
  gc\ --max-size | gc\ --max-size=) kind=nothing ;;
  gc\ --max-count | gc\ --max-count=) kind=nothing ;;
  gc\ --max-cost | gc\ --max-cost=) kind=nothing ;;
  gc\ --max-age | gc\ --max-age=) kind=nothing ;;
  gc\ --min-free | gc\ --min-free=) kind=nothing ;;
  gc\ --min-free-inodes | gc\ --min-free-inodes=) kind=nothing ;;
  gc\ --target | gc\ --target=) kind=nothing ;;
  gc\ --measure | gc\ --measure=) kind=words list='bytes disk' ;;
  gc\ --grace | gc\ --grace=) kind=nothing ;;
  gc\ --wait | gc\ --wait=) kind=nothing ;;
  gc\ --plan | gc\ --plan=) kind=file ;;
  gc\ --apply | gc\ --apply=) kind=file ;;
  gc\ --rate | gc\ --rate=) kind=nothing ;;
  verify\ --sample | verify\ --sample=) kind=nothing ;;
  verify\ --max-duration | verify\ --max-duration=) kind=nothing ;;
  verify\ --max-bytes | verify\ --max-bytes=) kind=nothing ;;
  verify\ --coverage | verify\ --coverage=) kind=nothing ;;
  verify\ --repair | verify\ --repair=) kind=words list='quarantine delete refetch none' ;;
  verify\ --images=) kind=words list='structure decode' ;;
  verify\ --format | verify\ --format=) kind=words list='text json jsonl junit github' ;;
  verify\ --list | verify\ --list=) kind=file ;;
  verify\ -j | verify\ --jobs | verify\ --jobs=) kind=nothing ;;
  verify\ --rate | verify\ --rate=) kind=nothing ;;
  verify\ --wait | verify\ --wait=) kind=nothing ;;
  verify\ --ca-bundle | verify\ --ca-bundle=) kind=file ;;
  verify\ --proxy | verify\ --proxy=) kind=nothing ;;
  revalidate\ --host | revalidate\ --host=) kind=nothing ;;
  revalidate\ --older-than | revalidate\ --older-than=) kind=nothing ;;
  revalidate\ --max-requests | revalidate\ --max-requests=) kind=nothing ;;
  revalidate\ --max-duration | revalidate\ --max-duration=) kind=nothing ;;
  revalidate\ --on-gone | revalidate\ --on-gone=) kind=words list='keep remove' ;;
  revalidate\ -j | revalidate\ --jobs | revalidate\ --jobs=) kind=nothing ;;
  revalidate\ --per-host | revalidate\ --per-host=) kind=nothing ;;
  revalidate\ --rate | revalidate\ --rate=) kind=nothing ;;
  revalidate\ --timeout | revalidate\ --timeout=) kind=nothing ;;
  revalidate\ --deadline | revalidate\ --deadline=) kind=nothing ;;
  revalidate\ --retries | revalidate\ --retries=) kind=nothing ;;
  revalidate\ --allow-net | revalidate\ --allow-net=) kind=nothing ;;
  revalidate\ --contact | revalidate\ --contact=) kind=nothing ;;
  revalidate\ --ca-bundle | revalidate\ --ca-bundle=) kind=file ;;
  revalidate\ --proxy | revalidate\ --proxy=) kind=nothing ;;
  fetch\ -o | fetch\ --output | fetch\ --output=) kind=file ;;
  fetch\ --wait | fetch\ --wait=) kind=nothing ;;
  fetch\ -j | fetch\ --jobs | fetch\ --jobs=) kind=nothing ;;
  fetch\ --per-host | fetch\ --per-host=) kind=nothing ;;
  fetch\ --rate | fetch\ --rate=) kind=nothing ;;
  fetch\ --timeout | fetch\ --timeout=) kind=nothing ;;
  fetch\ --deadline | fetch\ --deadline=) kind=nothing ;;
  fetch\ --retries | fetch\ --retries=) kind=nothing ;;
  fetch\ --allow-net | fetch\ --allow-net=) kind=nothing ;;
  fetch\ --contact | fetch\ --contact=) kind=nothing ;;
  fetch\ --ca-bundle | fetch\ --ca-bundle=) kind=file ;;
  fetch\ --proxy | fetch\ --proxy=) kind=nothing ;;
  watch\ --limit | watch\ --limit=) kind=nothing ;;
  watch\ --format | watch\ --format=) kind=words list='text jsonl' ;;
  init\ 0) kind=directory ;;
  config\ 0) kind=words list='shared durable max-size max-count max-cost max-age min-free min-free-inodes target measure grace audience allow-net' ;;
  config\ 1) kind=nothing ;;
  put\ 0) kind=nothing ;;
  put\ 1) kind=file ;;
  get\ 0) kind=call list=__keys ;;
  key\ 0) kind=nothing ;;
  import\ [0-9]*) kind=file ;;
  show\ 0) kind=call list=__keys ;;
  rm\ [0-9]*) kind=call list=__keys ;;
  fetch\ [0-9]*) kind=call list=__keys ;;
  help\ 0) kind=words list='init config put get key import ls show stat rm gc verify revalidate fetch watch export compact' ;;
  completions\ 0) kind=words list='bash zsh fish' ;;
  *) return 1 ;;
  esac
}

# Sets list to the options of a command.
_cachectl_options() {
  case $1 in
  init) list='--shared --durable --max-mb --max-size --max-count --max-cost --max-age --min-free --min-free-inodes --target --measure --grace' ;;
  config) list='' ;;
  put) list='--type --etag --last-modified --fresh-for --cost' ;;
  get) list='-o --output --no-touch' ;;
  key) list='' ;;
  import) list='--base-url' ;;
  ls) list='--sort -r --reverse --limit --after --prefix --host --older-than --type --larger-than -l --long --format' ;;
  show) list='--exact' ;;
  stat) list='--exact --check --metrics' ;;
  rm) list='--from --prefix --host --older-than -n --dry-run' ;;
  gc) list='--max-mb --max-size --max-count --max-cost --max-age --min-free --min-free-inodes --target --measure --grace -n --dry-run --full --wait --plan --apply --rate --idle-io' ;;
  verify) list='--sample --max-duration --max-bytes --coverage --only-failed --repair --adopt --strict --images --format --list -j --jobs --rate --wait --ca-bundle --proxy' ;;
  revalidate) list='--all --host --older-than --max-requests --max-duration --on-gone -j --jobs --per-host --rate --timeout --deadline --retries --allow-net --contact --ca-bundle --proxy -n --dry-run' ;;
  fetch) list='-o --output --head --wait -j --jobs --per-host --rate --timeout --deadline --retries --allow-net --contact --ca-bundle --proxy' ;;
  watch) list='--limit --format' ;;
  export) list='--xxhsum' ;;
  compact) list='' ;;
  help) list='' ;;
  completions) list='' ;;
  *) list= ;;
  esac
  list+=' --root --json --progress --color -q --quiet -v --verbose --show-secrets -h --help --version'
}

# Offers what kind and list say, for the word $2 with $1 before it.
_cachectl_offer() {
  local each
  case $kind in
  # Readline itself is best at names of files.
  file) compopt -o default ;;
  directory) compopt -o dirnames ;;
  words) for each in $list; do found+=("$1$each"); done ;;
  call) _cachectl_call "$1" "$2" ;;
  esac
  _cachectl_reply "$1$2"
}

# Finds what the tool's own command prints: texts, each followed by a NUL.
_cachectl_call() {
  local each program=${words[0]/#'~/'/$HOME/}
  while IFS= read -r -d '' each; do
    found+=("$1$each")
  done < <("$program" "${forwarded[@]}" "$list" -- "$2" 2>/dev/null)
}

# Gives readline those of the texts in found that begin with $1.
_cachectl_reply() {
  local each common
  local -a fit=()
  for each in "${found[@]}"; do [[ $each == "$1"* ]] && fit+=("$each"); done
  ((${#fit[@]})) || return
  _cachectl_common "${fit[@]}"
  if ((${#fit[@]} > 1)) && [[ $common != "$1" ]]; then
    # Readline would take what is common to the quoted texts, which can end inside of a quote.
    fit=("$common")
    compopt -o nospace
  fi
  COMPREPLY=()
  for each in "${fit[@]}"; do
    _cachectl_quote "${each:kept}"
    COMPREPLY+=("$each")
  done
  ((${#fit[@]} > 1)) || return
  _cachectl_common "${COMPREPLY[@]}"
  # An empty text keeps readline from inserting such an end, and the others are still listed.
  [[ $common == "$typed" ]] || COMPREPLY+=('')
}

# Sets common to the longest text that all begin with.
_cachectl_common() {
  local each
  common=$1
  for each; do
    while [[ $each != "$common"* ]]; do common=${common%?}; done
  done
}

# Sets each to a text quoted as the open quote asks for.
_cachectl_quote() {
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

_cachectl() {
  local IFS=$' \t\n' words quote kept typed=$2 command='' ended='' option='' kind list word
  local -i at count=0
  local -a forwarded=() found=()
  _cachectl_split "$2"
  for ((at = 1; at < ${#words[@]} - 1; at++)); do
    word=${words[at]}
    if [[ $option ]]; then
      _cachectl_forward "$option" "$word"
      option=
    elif [[ $ended || $word != -?* ]]; then
      if [[ $command ]]; then count+=1; else command=$word; fi
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == --*=* ]]; then
      _cachectl_forward "${word%%=*}" "${word#*=}"
    else
      _cachectl_waiting "$word"
    fi
  done
  word=${words[at]}
  if [[ $option ]]; then
    _cachectl_value "$command $option" && _cachectl_offer '' "$word"
  elif [[ ! $ended && $word == --*=* ]]; then
    _cachectl_value "$command ${word%%=*}=" && _cachectl_offer "${word%%=*}=" "${word#*=}"
  elif [[ ! $ended && $word == -* ]]; then
    kind=words
    _cachectl_options "$command"
    _cachectl_offer '' "$word"
  elif [[ ! $command ]]; then
    kind=words list='init config put get key import ls show stat rm gc verify revalidate fetch watch export compact help completions'
    _cachectl_offer '' "$word"
  else
    _cachectl_value "$command $count" && _cachectl_offer '' "$word"
  fi
}

complete -F _cachectl cachectl
