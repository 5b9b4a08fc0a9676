import CommandTable
import Testing

struct Line: Sendable, Equatable {
  var limit: Int?
  var grace = Duration.zero
  var hosts: [String] = []
  var images: String?
  var plan: [UInt8]?
  var isDry = false
  var isFull = false
  var level = 0
  var key = ""
  var file: [UInt8]?
}
