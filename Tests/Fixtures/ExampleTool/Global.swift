/// The options of every command.
struct Global: Sendable {
  var root: [UInt8]?
  var json = false
  var color = Moment.auto
  var verbosity = 0
}

/// When something is done.
enum Moment: String, Sendable, CaseIterable { case auto, always, never }
