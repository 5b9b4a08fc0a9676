// Shows one profile picture after the other as a view would, and prints each state.
//
//   swift run ProfileImages ROOT URL... [--allow NETWORK]

import CacheFetch
import CachePlan
import CacheStore
import Glibc
import ImageCache

var words = Array(CommandLine.arguments.dropFirst())
var settings = FetchSettings(userAgent: "profile-images-example/1")
if let option = words.firstIndex(of: "--allow"), option + 1 < words.count {
  settings.addresses.allowed = [words[option + 1]].compactMap(HTTPNetwork.init)
  words.removeSubrange(option...option + 1)
}
guard words.count >= 2 else {
  print("usage: ProfileImages ROOT URL... [--allow NETWORK]")
  exit(2)
}
let cache = ImageCache(try Store(at: words[0]), settings, memory: MemoryLimits(count: 100))
let model = ProfileImageModel(cache) { state in
  switch state {
  case .placeholder: print("placeholder")
  case .picture(let bytes, let isOld): print("picture, \(bytes.count) bytes\(isOld ? ", old" : "")")
  case .initials: print("initials")
  }
}
for url in words.dropFirst() { await model.show(url) }
