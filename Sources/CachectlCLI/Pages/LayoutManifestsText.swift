/// What cachectl-layout(5) says of the manifests.
let layoutManifests = #"""
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
  .It Ql terms
  What the origin said about keeping and using the content, as
  .Ql Cache-Control
  says it:
  .Ql no-cache ,
  .Ql must-revalidate ,
  .Ql immutable ,
  .Ql stale-while-revalidate ,
  .Ql stale-if-error
  and
  .Ql max-age .
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
