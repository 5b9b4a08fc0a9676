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
  No symbolic link below the root is ever followed to read, write or remove
  anything.
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
  .Ql grace_ms ;
  .Ql audience ,
  .Ql private
  or
  .Ql shared ,
  whose requests the cache answers (RFC 9111); and
  .Ql allow_net ,
  the private networks that origins may lie in, with blanks between.
  Members that a program does not know stay when it rewrites the file.

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
