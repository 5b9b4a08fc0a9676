internal import CacheStore
public func run() { print(benchScan(CommandLine.arguments[1])) }
