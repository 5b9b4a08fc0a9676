/// The options of every command.
struct Global: Sendable {
  var root: [UInt8]?
  var json = false
  var progress = Moment.auto
  var color = Moment.auto
  var quiet = false
  var verbosity = 0
  var showSecrets = false
}

/// When something is shown.
enum Moment: String, Sendable, CaseIterable { case auto, always, never }
