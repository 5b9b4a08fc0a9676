internal import CacheStore
public func run() { print(probe()) }
