/// cachectl-layout(5): layout 1 for whoever writes or reads a cache without this library.
///
/// In the mdoc language, since its tables and examples are no command's rows.
let layoutPage = layoutHead + layoutFiles + layoutManifests + layoutRules + layoutEnd

private let layoutHead = #"""
  .Dd November 30, 2026
  .Dt CACHECTL-LAYOUT 5
  .Os
  .Sh NAME
  .Nm cachectl-layout
  .Nd a cache on disk, layout 1
  .Sh DESCRIPTION
  A cache is one directory.
  Any number of processes, on one host or several, read and write it at once,
  and no server stands
  between them.
  This page is for programs that do so without the library of
  .Xr cachectl 1 .
  .Bd -literal -offset indent
  ROOT/
    cachectl.json            marks a cache; holds its policy
    CACHEDIR.TAG             tells backup tools to leave the tree out
    objects/3f/3fa9...e1     an image's bytes and nothing else
    manifests/3f/cost.jsonl  length, cost, content hash, times
    manifests/3f/etag.jsonl  key, validators, media type, freshness
    manifests/3f/lock        the shard's lock and its witness
    tmp/                     files being written
    quarantine/              damaged objects that were set aside
    state/                   locks and history; safe to delete
  .Ed
  .Pp
  The 256 directories below
  .Pa objects
  and the 256 below
  .Pa manifests
  are made with the cache and stay.
  No symbolic link below the root is ever followed.
  .Ss Keys, names and shards
  A
  .Em key
  is a text of 1 to 8192 bytes of UTF-8, normally the image's URL: scheme and
  host in lower case, no
  default port, no fragment, path and query as they are.
  Where one URL has several images, a newline and the variant follow, for
  example
  .Ql accept=image/webp .
  .Pp
  The
  .Em name
  of an entry is the SHA-256 of the key's bytes in 64 lower-case hexadecimal
  digits.
  The object's file is called by it, so that
  .Xr sha256sum 1
  finds an entry:
  .Bd -literal -offset indent
  printf %s "$url" | sha256sum
  .Ed
  .Pp
  The
  .Em shard
  of an entry is the first two digits of its name.
  .Ss The last use
  The modification time of an object is its last use.
  A reader records a use by setting the times of the open file to the present,
  with
  .Xr futimens 3
  and no times given: that form is allowed to whoever may write the file.
  Once a minute and entry is enough.
  The access time has no meaning.

  """#

private let layoutFiles = #"""
  .Ss cachectl.json
  One flat JSON object.
  .Ql cachectl
  is the layout's number, 1; a program that does not know the number must not
  write.
  .Ql shared
  is
  .Ql private ,
  .Ql group
  or
  .Ql all
  and decides the modes of everything that is made: files 600, 660 or 664,
  directories 700, 2770 or
  2775, whatever the writer's umask.
  .Ql durable
  is true where a store waits for the disk.
  The other members are the policy of
  .Xr cachectl-gc 1 :
  .Ql max_bytes ,
  .Ql max_count ,
  .Ql max_cost ,
  .Ql max_age_ms ,
  .Ql min_free_bytes
  or
  .Ql min_free_percent ,
  .Ql min_free_inodes
  or
  .Ql min_free_inodes_percent ,
  .Ql target_percent ,
  .Ql measure
  and
  .Ql grace_ms .
  Members that a program does not know stay when it rewrites the file.

  """#

private let layoutManifests = #"""
  .Sh MANIFESTS
  Both manifests are JSON Lines: one object a line, UTF-8, appended.
  The last line of a name holds.
  A line with
  .Ql removed
  ends the entry; it is written to both manifests.
  .Pp
  Lines of
  .Pa cost.jsonl :
  .Bd -literal -offset indent
  {"name":"3fa9...e1","bytes":48213,"cost":48213,
   "xxh128":"9e8d...04","stored":1764480000123,
   "used":1764480000123,"sum":"5a0c1f2e3d4b5a69"}
  {"name":"3fa9...e1","removed":1764566400000,
   "why":"max-bytes","sum":"..."}
  .Ed
  .Pp
  A line of
  .Pa etag.jsonl :
  .Bd -literal -offset indent
  {"name":"3fa9...e1","key":"https://img.example/a.jpg?w=200",
   "xxh128":"9e8d...04","etag":"\e"v1\e"",
   "last_modified":"Sun, 30 Nov 2025 05:20:00 GMT",
   "type":"image/jpeg","checked":1764480000123,
   "fresh_until":1764483600123,"sum":"..."}
  .Ed
  .Pp
  They are broken here to fit the page.
  The members:
  .Bl -tag -width "last_modified"
  .It Ql name
  The entry's name.
  Required.
  .It Ql bytes
  The object's length.
  Required in
  .Pa cost.jsonl .
  .It Ql cost
  The writer's own measure of what the entry costs, 0 to 2^63 \- 1; the length
  where it is left out.
  .It Ql xxh128
  XXH3-128 of the content, 32 digits in canonical order, as
  .Ql xxhsum -H2
  prints it.
  It finds accidents, not forgeries.
  In
  .Pa etag.jsonl
  it binds the validators to the content that they came with: where it is not
  the hash of the line of
  .Pa cost.jsonl
  that holds, the validators belong to a store that did not finish and must
  not be sent.
  .It Ql stored
  When the entry was stored.
  .It Ql used
  The last use that was known when the line was written.
  The true last use is the later of this and the object's modification time,
  and never later than the
  present.
  .It Ql removed , Ql why
  When the entry was ended, and a word for the reason.
  .It Ql key
  The key.
  Required in
  .Pa etag.jsonl ;
  its SHA-256 must be the name.
  .It Ql url
  The URL, where it is not the key.
  .It Ql etag , Ql last_modified , Ql type
  The fields
  .Ql ETag ,
  .Ql Last-Modified
  and
  .Ql Content-Type
  as they came, the ETag with its quotes.
  .It Ql vary
  The request fields that the response depended on and that have to be sent
  again: a text of
  .Ql name: value
  lines.
  .It Ql checked
  When the origin sent or confirmed the content.
  .It Ql fresh_until
  Until when the content may be used without asking.
  .It Ql sum
  The last member: XXH3-64, 16 digits, of the line's bytes before
  .Ql ,"sum" .
  .El
  .Pp
  Times are whole milliseconds since 1970 UTC.
  .Pp
  A line without
  .Ql sum
  counts.
  A line whose sum is wrong, that is no object, that has a member of these
  twice or with a value that
  it cannot have, or that is longer than 65536 bytes is
  .Em damaged :
  it is reported and passed over, and no other line suffers.
  A line goes out in one
  .Xr write 2 .
  A writer that finds the file not ending in a newline writes one first.
  Members that a program does not know stay when it rewrites a line.

  """#

private let layoutRules = #"""
  .Sh WRITING
  .Bl -enum
  .It
  Write the bytes to a new file in
  .Pa tmp ,
  made with
  .Dv O_EXCL
  under a name of host, process and a counter, and hold a
  .Xr flock 2
  on it for as long as it is there: a file in
  .Pa tmp
  that nobody has locked and that is more than an hour old is a
  .Em leftover ,
  and
  .Xr cachectl-gc 1
  removes it.
  .It
  Take the exclusive
  .Xr flock 2
  of
  .Pa manifests/3f/lock
  and clear the witness.
  .It
  Append the line to
  .Pa etag.jsonl ,
  then the line to
  .Pa cost.jsonl .
  .It
  .Xr rename 2
  the file to
  .Pa objects/3f/NAME .
  This commits the store.
  .It
  Set the witness and let the lock go.
  .El
  .Pp
  An object is never written in place: whoever has it open keeps a whole image.
  A crash before the rename leaves a line that the object does not match while
  the line before it does,
  which tells an
  .Em interrupted
  store from a
  .Em damaged
  object.
  .Sh REMOVING
  Take the shard's lock, look at the object again, clear the witness,
  .Xr unlink 2
  the object, append a
  .Ql removed
  line to both manifests, set the witness.
  An object that is gone already is as good as removed.
  Where the disk is too full for the lines, the missing object is enough.
  .Sh COMPACTION
  With the shard's lock held, a new manifest is written to
  .Pa tmp ,
  synced and renamed over the old one.
  Every line stays that the object on disk may still match.
  .Sh THE WITNESS
  The lock file holds two lines of twenty digits, zeros in front: the
  modification time of
  .Pa objects/3f
  in nanoseconds since 1970, and the length of
  .Pa cost.jsonl ,
  both as the last writer that keeps these rules left them.
  Twenty zeros twice is a
  .Em cleared
  witness.
  .Pp
  A writer that holds the lock compares the witness with the disk before its
  change.
  .Bl -tag -width "cleared"
  .It equal
  Clear it, change the shard, and set it to what the disk says then.
  .It different
  Somebody changed the shard without these rules.
  Change the shard and leave the witness as it is, so that the difference
  stays until a listing has
  settled it.
  .It cleared
  A writer died in the middle of a change.
  The same.
  .El
  .Pp
  While the witness is right, the lines of
  .Pa cost.jsonl
  are exactly what the directory holds, and
  .Xr cachectl-gc 1
  and
  .Xr cachectl-ls 1
  do not list it.
  A program that knows nothing of the witness costs them speed and never makes
  them wrong.
  .Sh WHAT AN ENTRY CAN BE
  .Bl -tag -width "interrupted"
  .It sound
  The object is what its record says.
  .It stray
  An object without a record.
  It counts against the budget, and its last use is its modification time.
  .It missing
  A record without an object.
  It counts nothing.
  .It interrupted
  The object is what an earlier record says.
  .It damaged
  The object is what no record says.
  .It unreadable
  The object cannot be read.
  Nothing is concluded and nothing removed.
  .It foreign
  Something that is no regular file, or whose name is none.
  It is reported, and never followed, opened or removed.
  .It leftover
  A file in
  .Pa tmp
  whose writer is gone.
  .El

  """#

private let layoutEnd = #"""
  .Sh EXAMPLES
  A program that can write files but keeps no manifests may store an image by
  a rename alone.
  It is a stray: it is served, counted and evicted like any other, but cannot
  be verified.
  .Bd -literal -offset indent
  name=$(printf %s "$url" | sha256sum | cut -c1-64)
  cp image.jpg "$root/tmp/$$.new"
  mv "$root/tmp/$$.new" "$root/objects/$(echo $name | cut -c1-2)/$name"
  .Ed
  .Sh SEE ALSO
  .Xr cachectl 1 ,
  .Xr cachectl-gc 1 ,
  .Xr cachectl-init 1 ,
  .Xr flock 2 ,
  .Xr rename 2
  .Rs
  .%A R. Fielding
  .%A M. Nottingham
  .%A J. Reschke
  .%T HTTP Semantics
  .%R RFC 9110
  .Re

  """#
