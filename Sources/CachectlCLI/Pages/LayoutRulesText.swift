/// What cachectl-layout(5) says of changing a cache, and of what can be found in one.
let layoutRules = #"""
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
  .Pa manifests/3f/lock .
  .It
  Append the line to
  .Pa cost.jsonl ,
  then the line to
  .Pa etag.jsonl .
  The witness no longer holds then, so that a crash from here on shows; who
  begins with anything else clears it first.
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
  Change the shard, and set it to what the disk says then.
  A change that does not begin with a longer
  .Pa cost.jsonl
  clears it before.
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
  Of two changes within one tick of the kernel's clock, at most a hundredth of a
  second, the directory's time need not show the second.
  A writer whose change took longer, so that somebody else's may hide behind it,
  sets the first line to one and not to the directory's time, unless
  .Xr inotify 7
  told it of every change meanwhile.
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
