internal import CommandTable

/// The manual of `verify`.
let verifyPage = Page(
  description: """
    Hashes every object and compares it with its records. Changes nothing unless told to: no time, no manifest, no order of eviction. It works on a read-only mount and beside writers and `gc`: what is replaced while it is checked is looked at again, and is never damage.

    Findings have a class each. `damaged`: no record matches the object; bits changed, or it was cut short, emptied or lengthened. `damaged_line`: a line of a manifest that is no record, or whose key is not its name's. `interrupted`: a store did not finish, and the earlier image is whole. `missing`: a record without an object. `stray`: an object without a record. `unreadable`: permissions or I/O; nothing is concluded. `foreign`: no regular file or no entry's name. `leftover`: a dead writer's file in `tmp/`. With `--images` also `not_an_image`, `wrong_type`, `cut_off` and `undecodable`.

    Damage, lines and images make the exit status 1, what could not be read makes it 3. The other classes are what crashes, evictions by hand and simple writers leave behind: they are reported and change the status only with `--strict`. So is a line that a crash tore off while it was written.

    With `--sample`, `--max-bytes` or `--max-duration` a part is checked, what was verified longest ago first; the results are kept in `state/` as they come, so that a run that is killed loses only what it was just checking. `--coverage 99%/7d` checks what it takes to have 99 % of the bytes verified within 7 days, and exits 1 where that is not so in the end: beside one of the limits, or with `--max-duration 0s`, because time did not suffice.

    Repair takes a shard's lock and looks at each entry again first. Damaged objects go to `quarantine/` or go, or with `refetch` are asked for again without a condition: the object stays until a whole image has come, and where none comes it stays for good and counts as failed. An image that comes as it was recorded tells that the damage was done here and not at the origin. Private addresses are asked where the cache's setting `allow-net` names their network. Interrupted stores are settled, the earlier record holding again; records without an object are ended. Strays stay unless `--adopt`. The status still says what was found.
    """,
  examples: [
    Example("cachectl verify", "check everything; exit 1 where something is damaged"),
    Example("cachectl verify --coverage 99%/7d --max-duration 10m", "every night, a part"),
    Example("cachectl verify --format junit > verify.xml", "for a CI server"),
    Example(
      "cachectl verify --list bad; cachectl rm --from bad", "remove what is damaged"),
    Example("cachectl verify --images=decode", "decode every image as well"),
  ],
  files: [
    Term("state/verified", "when each part of the cache was last verified"),
    Term("state/failed.jsonl", "what failed then, for `--only-failed`; bounded"),
    Term("state/verify.lock", "who is verifying just now"),
    Term("quarantine/", "damaged objects and their notes"),
  ])
