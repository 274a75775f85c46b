// The Swift layer beside the C core, in one run, on the same tree: `layerbench [items]`; `make bench-swift` runs it.
// `layerbench --memory KIND [items]` builds one tree and says how many bytes the process took for each item.
import PeerHarness
import TreeKit

var arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--memory" {
  let kind = arguments.dropFirst().first ?? ""
  measureMemory(kind, count: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000_000)
} else {
  let input = Input(count: arguments.first.flatMap { Int($0) } ?? 1_000_000)
  print("\(input.count) items                                           C      Swift         times")
  compareBuild("String", input, input.names, goal: 2)
  compareBuild("Int", input, input.numbers, goal: nil)
  compareReads("String", input, input.names)
  compareReads("Int", input, input.numbers)
  compareNested(rows: 100_000)
}
