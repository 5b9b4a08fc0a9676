internal import CacheModel
internal import CacheStore

extension Session {
  /// Writes the one JSON document of a run: `cachectl.COMMAND/1`, the root, the status, and what
  /// `members` adds.
  func document(_ root: String, _ verdict: Verdict, _ members: (inout JSONText) -> Void) {
    var json = JSONText()
    json.beginDocument(command, root)
    json.members(of: verdict)
    members(&json)
    json.endDocument()
    output.write(&json)
  }
}

extension JSONText {
  /// Opens a document: its schema and the cache.
  mutating func beginDocument(_ command: String, _ root: String) {
    beginObject()
    member("schema", "cachectl.\(command)/1")
    member("root", root)
  }

  /// The process's status and every status that holds.
  mutating func members(of verdict: Verdict) {
    member("status", verdict.status)
    array("statuses") { json in verdict.all.forEach { json.value($0) } }
  }

  /// Closes a document.
  mutating func endDocument() {
    endObject()
    endLine()
  }

  /// A member with texts.
  mutating func member(_ name: String, _ texts: [String]) {
    array(name) { json in texts.forEach { json.value($0) } }
  }
}
