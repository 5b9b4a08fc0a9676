# Completion of cachectl for fish, rendered from its table of commands.

# Walks the words before the cursor, once for each state of the line, and sets
# __cachectl_line to the command or nothing, the number of its arguments, and the forwarded options.
function __cachectl_walk
    set -l now (commandline -pc | string collect)
    test "$now" = "$__cachectl_walked"; and return
    set -g __cachectl_walked $now
    set -l command ''
    set -l count 0
    set -l forwarded
    set -l option ''
    set -l ended ''
    for word in (commandline -opc)[2..]
        if test -n "$option"
            contains -- $option --root; and set -a forwarded $option=(__cachectl_expand $word)
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
            contains -- $parts[1] --root
            and set -a forwarded $parts[1]=(__cachectl_expand $parts[2])
        else
            set option (__cachectl_waiting "$command" $word)
        end
    end
    set -g __cachectl_line "$command" $count $forwarded
end

function __cachectl_at
    __cachectl_walk
    test "$__cachectl_line[1]" = "$argv[1]"
end

function __cachectl_argument
    __cachectl_walk
    test "$__cachectl_line[1]" = $argv[1]; or return
    test $__cachectl_line[2] -eq $argv[2]; and return
    set -q argv[3]; and test $__cachectl_line[2] -ge $argv[2]
end

# Prints the option in a word, such as -o in -no, whose value is the next word.
function __cachectl_waiting
    set -l letters $argv[2]
    if not string match -q -- '--*' $argv[2]
        set letters -(string split '' -- (string sub -s 2 -- $argv[2]))
    end
    while set -q letters[1]
        switch "$argv[1] $letters[1]"
            case '* --root' '* --progress' '* --color' 'init --shared' 'init --max-mb' 'init --max-size' 'init --max-count' 'init --max-cost' 'init --max-age' 'init --min-free' 'init --min-free-inodes' 'init --target' 'init --measure' 'init --grace' 'put --type' 'put --etag' 'put --last-modified' 'put --fresh-for' 'put --cost' 'get -o' 'get --output' 'import --base-url' 'ls --sort' 'ls --limit' 'ls --after' 'ls --prefix' 'ls --host' 'ls --older-than' 'ls --type' 'ls --larger-than' 'ls --format' 'stat --check' 'rm --from' 'rm --prefix' 'rm --host' 'rm --older-than' 'gc --max-mb' 'gc --max-size' 'gc --max-count' 'gc --max-cost' 'gc --max-age' 'gc --min-free' 'gc --min-free-inodes' 'gc --target' 'gc --measure' 'gc --grace' 'gc --wait' 'gc --plan' 'gc --apply' 'gc --rate' 'verify --sample' 'verify --max-duration' 'verify --max-bytes' 'verify --coverage' 'verify --repair' 'verify --format' 'verify --list' 'verify -j' 'verify --jobs' 'verify --rate' 'verify --wait' 'verify --ca-bundle' 'verify --proxy' 'revalidate --host' 'revalidate --older-than' 'revalidate --max-requests' 'revalidate --max-duration' 'revalidate --on-gone' 'revalidate -j' 'revalidate --jobs' 'revalidate --per-host' 'revalidate --rate' 'revalidate --timeout' 'revalidate --deadline' 'revalidate --retries' 'revalidate --allow-net' 'revalidate --contact' 'revalidate --ca-bundle' 'revalidate --proxy' 'fetch -o' 'fetch --output' 'fetch --wait' 'fetch -j' 'fetch --jobs' 'fetch --per-host' 'fetch --rate' 'fetch --timeout' 'fetch --deadline' 'fetch --retries' 'fetch --allow-net' 'fetch --contact' 'fetch --ca-bundle' 'fetch --proxy' 'watch --limit' 'watch --format'
                set -q letters[2]; or printf '%s\n' $letters[1]
                return
        end
        set -e letters[1]
    end
end

# Looks up a home or a variable in front of a word; nothing else is evaluated.
function __cachectl_expand
    set -l variable (string match -r '^\$(\w+)' -- $argv[1])
    if string match -q -- '~/*' $argv[1]
        printf '%s\n' $HOME(string sub -s 2 -- $argv[1])
    else if set -q variable[2]
        set -l length (math (string length -- $variable[1]) + 1)
        printf '%s\n' "$$variable[2]"(string sub -s $length -- $argv[1])
    else
        printf '%s\n' $argv[1]
    end
end

# Prints the word at the cursor as typed so far, without its quotes and without its option.
function __cachectl_typed
    set -l typed (commandline -ct | string collect)
    string match -q -- '--*=*' $typed; and set typed (string split -m1 = -- $typed)[2]
    for open in '' '"' "'"
        string unescape -- $typed$open; and return
    end
    string unescape -- (string replace -r '\\\\$' '' -- $typed)
end

# Offers what the tool's own command prints: texts, each followed by a NUL. One with a tab cannot
# be offered, as fish takes what follows the tab for its description.
function __cachectl_call
    __cachectl_walk
    set -l program (__cachectl_expand (commandline -opc)[1])
    set -l prefix (__cachectl_typed | string collect)
    set -l offered
    for text in (command $program $__cachectl_line[3..] $argv[1] -- "$prefix" 2>/dev/null | string split0)
        string match -q -- '*'\t'*' $text; or set -a offered $text
    end
    set -q offered[1]; and string join0 -- $offered | string split0
end

function __cachectl_words
    switch $argv
        case --progress
            printf '%s\t%s\n' auto '' always '' never ''
        case --color
            printf '%s\t%s\n' auto '' always '' never ''
        case init--shared
            printf '%s\t%s\n' private 'nobody but its owner' group 'the group reads and writes' all 'the group reads and writes, everybody else reads'
        case init--measure
            printf '%s\t%s\n' bytes 'the length of its object' disk 'allocated blocks, an inode with several names once'
        case ls--sort
            printf '%s\t%s\n' used 'the last use: the order of eviction' stored 'when it was stored' bytes 'the object\'s length' cost 'the writer\'s measure' key 'the key'
        case ls--format
            printf '%s\t%s\n' table '' json '' jsonl ''
        case gc--measure
            printf '%s\t%s\n' bytes 'the length of its object' disk 'allocated blocks, an inode with several names once'
        case verify--repair
            printf '%s\t%s\n' quarantine 'keep damaged objects in quarantine/, each with a note' delete 'remove damaged objects' refetch 'ask the origins for them again, without a condition' none 'report only'
        case verify--images
            printf '%s\t%s\n' structure 'kind, declared type, and the structure up to the end' decode 'decode them as well, in a process without rights (cachectl-decode)'
        case verify--format
            printf '%s\t%s\n' text 'for people' json 'one document, as --json' jsonl 'a line for each finding as it is found, and one for the report' junit 'JUnit XML, which CI servers show' github 'annotations of GitHub Actions'
        case revalidate--on-gone
            printf '%s\t%s\n' keep '' remove ''
        case watch--format
            printf '%s\t%s\n' text '' jsonl ''
        case config:NAME
            printf '%s\t%s\n' shared 'who may use the cache; set by init' durable 'whether a store waits for the disk: true or false' max-size 'bytes at most' max-count 'entries at most' max-cost 'sum of costs at most' max-age 'evict what was last used longer ago' min-free 'keep this much of the file system free' min-free-inodes 'keep this many inodes free' target 'go down to this share of a limit' measure 'what counts as bytes' grace 'never evict what was used this recently' audience 'whose requests it answers: one user\'s (private) or many\'s (shared)' allow-net 'private networks that origins may lie in, with blanks between'
        case help:COMMAND
            printf '%s\t%s\n' init 'make a cache' config 'read and change the cache\'s policy' put 'store one image' get 'give one image out' key 'tell an entry\'s name and path' import 'store a tree of files' ls 'list entries' show 'tell everything known of one entry' stat 'show the cache in figures' rm 'remove entries' gc 'evict the least recently used until every budget holds' verify 'check every entry against its records' revalidate 'ask the origins about stale entries' fetch 'read images through the cache' watch 'tell what happens to the cache as it happens' export 'print the records in the form of another tool' compact 'rewrite the manifests without their dead lines'
        case completions:SHELL
            printf '%s\t%s\n' bash '' zsh '' fish ''
    end
end

complete -c cachectl -f
complete -c cachectl -n '__cachectl_at ""' -a init -d 'make a cache'
complete -c cachectl -n '__cachectl_at ""' -a config -d 'read and change the cache\'s policy'
complete -c cachectl -n '__cachectl_at ""' -a put -d 'store one image'
complete -c cachectl -n '__cachectl_at ""' -a get -d 'give one image out'
complete -c cachectl -n '__cachectl_at ""' -a key -d 'tell an entry\'s name and path'
complete -c cachectl -n '__cachectl_at ""' -a import -d 'store a tree of files'
complete -c cachectl -n '__cachectl_at ""' -a ls -d 'list entries'
complete -c cachectl -n '__cachectl_at ""' -a show -d 'tell everything known of one entry'
complete -c cachectl -n '__cachectl_at ""' -a stat -d 'show the cache in figures'
complete -c cachectl -n '__cachectl_at ""' -a rm -d 'remove entries'
complete -c cachectl -n '__cachectl_at ""' -a gc -d 'evict the least recently used until every budget holds'
complete -c cachectl -n '__cachectl_at ""' -a verify -d 'check every entry against its records'
complete -c cachectl -n '__cachectl_at ""' -a revalidate -d 'ask the origins about stale entries'
complete -c cachectl -n '__cachectl_at ""' -a fetch -d 'read images through the cache'
complete -c cachectl -n '__cachectl_at ""' -a watch -d 'tell what happens to the cache as it happens'
complete -c cachectl -n '__cachectl_at ""' -a export -d 'print the records in the form of another tool'
complete -c cachectl -n '__cachectl_at ""' -a compact -d 'rewrite the manifests without their dead lines'
complete -c cachectl -n '__cachectl_at ""' -a help -d 'show the help of a command'
complete -c cachectl -n '__cachectl_at ""' -a completions -d 'print the completion script of a shell'
complete -c cachectl -l root -r -f -a '(__fish_complete_directories)' -d 'the cache'
complete -c cachectl -l json -d 'one JSON document on stdout and nothing else'
complete -c cachectl -l progress -r -f -a '(__cachectl_words --progress)' -d 'show progress on stderr'
complete -c cachectl -l color -r -f -a '(__cachectl_words --color)' -d 'use colours'
complete -c cachectl -s q -l quiet -d 'say less'
complete -c cachectl -s v -l verbose -d 'say more'
complete -c cachectl -l show-secrets -d 'print URLs with user, password and signatures'
complete -c cachectl -s h -l help -d 'show the help: -h one screen of it, --help all'
complete -c cachectl -l version -d 'show the version'
complete -c cachectl -n '__cachectl_at init' -l shared -r -f -a '(__cachectl_words init--shared)' -d 'who may use the cache'
complete -c cachectl -n '__cachectl_at init' -l durable -d 'wait at each store until its bytes are on the disk'
complete -c cachectl -n '__cachectl_at init' -l max-mb -r -f -d 'N × 1,000,000 bytes at most'
complete -c cachectl -n '__cachectl_at init' -l max-size -r -f -d 'bytes at most: 200MB, 1.5GB, 512MiB'
complete -c cachectl -n '__cachectl_at init' -l max-count -r -f -d 'entries at most; 0 empties the cache'
complete -c cachectl -n '__cachectl_at init' -l max-cost -r -f -d 'sum of costs at most'
complete -c cachectl -n '__cachectl_at init' -l max-age -r -f -d 'evict what was last used longer ago'
complete -c cachectl -n '__cachectl_at init' -l min-free -r -f -d 'keep this much of the file system free'
complete -c cachectl -n '__cachectl_at init' -l min-free-inodes -r -f -d 'keep this many inodes of the file system free'
complete -c cachectl -n '__cachectl_at init' -l target -r -f -d 'when over a limit, go down to this share of it'
complete -c cachectl -n '__cachectl_at init' -l measure -r -f -a '(__cachectl_words init--measure)' -d 'what counts as an entry\'s bytes'
complete -c cachectl -n '__cachectl_at init' -l grace -r -f -d 'never evict what was used this recently'
complete -c cachectl -n '__cachectl_at put' -l type -r -f -d 'the media type, such as image/webp'
complete -c cachectl -n '__cachectl_at put' -l etag -r -f -d 'the ETag with its quotes, as it came'
complete -c cachectl -n '__cachectl_at put' -l last-modified -r -f -d 'the Last-Modified, as it came'
complete -c cachectl -n '__cachectl_at put' -l fresh-for -r -f -d 'how long it may be used unasked'
complete -c cachectl -n '__cachectl_at put' -l cost -r -f -d 'what it costs to fetch again; else its bytes'
complete -c cachectl -n '__cachectl_at get' -s o -l output -r -F -d 'write to FILE; - is standard output'
complete -c cachectl -n '__cachectl_at get' -l no-touch -d 'do not count this as a use'
complete -c cachectl -n '__cachectl_at import' -l base-url -r -f -d 'what stands before the path in a key'
complete -c cachectl -n '__cachectl_at ls' -l sort -r -f -a '(__cachectl_words ls--sort)' -d 'order by this, the smallest first'
complete -c cachectl -n '__cachectl_at ls' -s r -l reverse -d 'the other way round'
complete -c cachectl -n '__cachectl_at ls' -l limit -r -f -d 'so many entries; 1000 where not given'
complete -c cachectl -n '__cachectl_at ls' -l after -r -f -d 'go on where another page ended'
complete -c cachectl -n '__cachectl_at ls' -l prefix -r -f -d 'keys that begin with TEXT'
complete -c cachectl -n '__cachectl_at ls' -l host -r -f -d 'keys that are URLs of this host'
complete -c cachectl -n '__cachectl_at ls' -l older-than -r -f -d 'last used longer ago'
complete -c cachectl -n '__cachectl_at ls' -l type -r -f -d 'media type, such as image/png or image/'
complete -c cachectl -n '__cachectl_at ls' -l larger-than -r -f -d 'longer than this'
complete -c cachectl -n '__cachectl_at ls' -s l -l long -d 'show everything that is recorded'
complete -c cachectl -n '__cachectl_at ls' -l format -r -f -a '(__cachectl_words ls--format)' -d 'how to print'
complete -c cachectl -n '__cachectl_at show' -l exact -d 'count the place in the order of eviction'
complete -c cachectl -n '__cachectl_at stat' -l exact -d 'look at every object'
complete -c cachectl -n '__cachectl_at stat' -l check -r -f -d 'exit 1 where a figure passes its limit'
complete -c cachectl -n '__cachectl_at stat' -l metrics -d 'print OpenMetrics text'
complete -c cachectl -n '__cachectl_at rm' -l from -r -F -d 'keys or names, one a line; - for standard input'
complete -c cachectl -n '__cachectl_at rm' -l prefix -r -f -d 'keys that begin with TEXT'
complete -c cachectl -n '__cachectl_at rm' -l host -r -f -d 'keys that are URLs of this host'
complete -c cachectl -n '__cachectl_at rm' -l older-than -r -f -d 'last used longer ago'
complete -c cachectl -n '__cachectl_at rm' -s n -l dry-run -d 'list what would go and remove nothing'
complete -c cachectl -n '__cachectl_at gc' -l max-mb -r -f -d 'N × 1,000,000 bytes at most'
complete -c cachectl -n '__cachectl_at gc' -l max-size -r -f -d 'bytes at most: 200MB, 1.5GB, 512MiB'
complete -c cachectl -n '__cachectl_at gc' -l max-count -r -f -d 'entries at most; 0 empties the cache'
complete -c cachectl -n '__cachectl_at gc' -l max-cost -r -f -d 'sum of costs at most'
complete -c cachectl -n '__cachectl_at gc' -l max-age -r -f -d 'evict what was last used longer ago'
complete -c cachectl -n '__cachectl_at gc' -l min-free -r -f -d 'keep this much of the file system free'
complete -c cachectl -n '__cachectl_at gc' -l min-free-inodes -r -f -d 'keep this many inodes of the file system free'
complete -c cachectl -n '__cachectl_at gc' -l target -r -f -d 'when over a limit, go down to this share of it'
complete -c cachectl -n '__cachectl_at gc' -l measure -r -f -a '(__cachectl_words gc--measure)' -d 'what counts as an entry\'s bytes'
complete -c cachectl -n '__cachectl_at gc' -l grace -r -f -d 'never evict what was used this recently'
complete -c cachectl -n '__cachectl_at gc' -s n -l dry-run -d 'print every victim; take no lock, change nothing'
complete -c cachectl -n '__cachectl_at gc' -l full -d 'look at every object and repair the index'
complete -c cachectl -n '__cachectl_at gc' -l wait -r -f -d 'wait this long for another gc to end'
complete -c cachectl -n '__cachectl_at gc' -l plan -r -F -d 'save the plan for --apply; change nothing'
complete -c cachectl -n '__cachectl_at gc' -l apply -r -F -d 'carry out a saved plan, each line checked again'
complete -c cachectl -n '__cachectl_at gc' -l rate -r -f -d 'removals per second at most'
complete -c cachectl -n '__cachectl_at gc' -l idle-io -d 'let all other disk I/O go first (ioprio_set(2))'
complete -c cachectl -n '__cachectl_at verify' -l sample -r -f -d 'check this share, least recently verified first'
complete -c cachectl -n '__cachectl_at verify' -l max-duration -r -f -d 'begin nothing more after this time'
complete -c cachectl -n '__cachectl_at verify' -l max-bytes -r -f -d 'read about this much'
complete -c cachectl -n '__cachectl_at verify' -l coverage -r -f -d 'exit 1 unless so much was verified in that time'
complete -c cachectl -n '__cachectl_at verify' -l only-failed -d 'check again what failed last time'
complete -c cachectl -n '__cachectl_at verify' -l repair -r -f -a '(__cachectl_words verify--repair)' -d 'what to do about damage'
complete -c cachectl -n '__cachectl_at verify' -l adopt -d 'give strays a record'
complete -c cachectl -n '__cachectl_at verify' -l strict -d 'exit 1 for findings of any class'
complete -c cachectl -n '__cachectl_at verify' -l images -f -a '(__cachectl_words verify--images)' -d 'check that each object is a whole image of its type'
complete -c cachectl -n '__cachectl_at verify' -l format -r -f -a '(__cachectl_words verify--format)' -d 'for whom to report'
complete -c cachectl -n '__cachectl_at verify' -l list -r -F -d 'write what is damaged, for rm --from'
complete -c cachectl -n '__cachectl_at verify' -s j -l jobs -r -f -d 'threads that read; else as many as the disk can use'
complete -c cachectl -n '__cachectl_at verify' -l rate -r -f -d 'bytes per second at most: 20MB/s'
complete -c cachectl -n '__cachectl_at verify' -l wait -r -f -d 'wait this long for another verify to end'
complete -c cachectl -n '__cachectl_at verify' -l ca-bundle -r -F -d 'trust these certificates (PEM) instead of the system\'s'
complete -c cachectl -n '__cachectl_at verify' -l proxy -r -f -d 'a proxy, or env for what the environment says'
complete -c cachectl -n '__cachectl_at revalidate' -l all -d 'ask about fresh entries as well'
complete -c cachectl -n '__cachectl_at revalidate' -l host -r -f -d 'keys that are URLs of this host'
complete -c cachectl -n '__cachectl_at revalidate' -l older-than -r -f -d 'last checked longer ago'
complete -c cachectl -n '__cachectl_at revalidate' -l max-requests -r -f -d 'entries to ask about at most'
complete -c cachectl -n '__cachectl_at revalidate' -l max-duration -r -f -d 'ask nothing more after this time'
complete -c cachectl -n '__cachectl_at revalidate' -l on-gone -r -f -a '(__cachectl_words revalidate--on-gone)' -d 'what a 404 or 410 does'
complete -c cachectl -n '__cachectl_at revalidate' -s j -l jobs -r -f -d 'requests at once, in all'
complete -c cachectl -n '__cachectl_at revalidate' -l per-host -r -f -d 'requests at once to a host'
complete -c cachectl -n '__cachectl_at revalidate' -l rate -r -f -d 'requests per second at most, redirects and repetitions included'
complete -c cachectl -n '__cachectl_at revalidate' -l timeout -r -f -d 'the time to a connection'
complete -c cachectl -n '__cachectl_at revalidate' -l deadline -r -f -d 'the time to the end of an answer'
complete -c cachectl -n '__cachectl_at revalidate' -l retries -r -f -d 'how often a request that failed is made again'
complete -c cachectl -n '__cachectl_at revalidate' -l allow-net -r -f -d 'connect to this private network as well'
complete -c cachectl -n '__cachectl_at revalidate' -l contact -r -f -d 'a contact for the User-Agent'
complete -c cachectl -n '__cachectl_at revalidate' -l ca-bundle -r -F -d 'trust these certificates (PEM) instead of the system\'s'
complete -c cachectl -n '__cachectl_at revalidate' -l proxy -r -f -d 'a proxy, or env for what the environment says'
complete -c cachectl -n '__cachectl_at revalidate' -s n -l dry-run -d 'list what would be asked, and ask nothing'
complete -c cachectl -n '__cachectl_at fetch' -s o -l output -r -F -d 'write the image to FILE, or to standard output where it is -'
complete -c cachectl -n '__cachectl_at fetch' -l head -d 'show what would be stored, and store nothing'
complete -c cachectl -n '__cachectl_at fetch' -l wait -r -f -d 'how long to wait for another process that asks for the same image'
complete -c cachectl -n '__cachectl_at fetch' -s j -l jobs -r -f -d 'requests at once, in all'
complete -c cachectl -n '__cachectl_at fetch' -l per-host -r -f -d 'requests at once to a host'
complete -c cachectl -n '__cachectl_at fetch' -l rate -r -f -d 'requests per second at most, redirects and repetitions included'
complete -c cachectl -n '__cachectl_at fetch' -l timeout -r -f -d 'the time to a connection'
complete -c cachectl -n '__cachectl_at fetch' -l deadline -r -f -d 'the time to the end of an answer'
complete -c cachectl -n '__cachectl_at fetch' -l retries -r -f -d 'how often a request that failed is made again'
complete -c cachectl -n '__cachectl_at fetch' -l allow-net -r -f -d 'connect to this private network as well'
complete -c cachectl -n '__cachectl_at fetch' -l contact -r -f -d 'a contact for the User-Agent'
complete -c cachectl -n '__cachectl_at fetch' -l ca-bundle -r -F -d 'trust these certificates (PEM) instead of the system\'s'
complete -c cachectl -n '__cachectl_at fetch' -l proxy -r -f -d 'a proxy, or env for what the environment says'
complete -c cachectl -n '__cachectl_at watch' -l limit -r -f -d 'end after so many changes'
complete -c cachectl -n '__cachectl_at watch' -l format -r -f -a '(__cachectl_words watch--format)' -d 'how to print'
complete -c cachectl -n '__cachectl_at export' -l xxhsum -d 'a list of sums for xxhsum -H2 -c'
complete -c cachectl -n '__cachectl_argument init 0' -f -a '(__fish_complete_directories)'
complete -c cachectl -n '__cachectl_argument config 0' -f -a '(__cachectl_words config:NAME)'
complete -c cachectl -n '__cachectl_argument put 1' -F
complete -c cachectl -n '__cachectl_argument get 0' -f -a '(__cachectl_call __keys)'
complete -c cachectl -n '__cachectl_argument import 0 more' -F
complete -c cachectl -n '__cachectl_argument show 0' -f -a '(__cachectl_call __keys)'
complete -c cachectl -n '__cachectl_argument rm 0 more' -f -a '(__cachectl_call __keys)'
complete -c cachectl -n '__cachectl_argument fetch 0 more' -f -a '(__cachectl_call __keys)'
complete -c cachectl -n '__cachectl_argument help 0' -f -a '(__cachectl_words help:COMMAND)'
complete -c cachectl -n '__cachectl_argument completions 0' -f -a '(__cachectl_words completions:SHELL)'
