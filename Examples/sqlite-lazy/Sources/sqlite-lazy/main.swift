import Library

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// A thousand books behind three levels, and none of them is read before its shelf is opened.

let path = CommandLine.arguments.dropFirst().first ?? "/tmp/sqlite-lazy-\(getpid()).db"
defer { unlink(path) }
let database = try Database(at: path)
try database.fill()

@MainActor func show(_ title: String, _ screen: Screen) {
  print("\n\(title)")
  for line in screen.lines { print("  \(line)") }
  if let last = screen.changes.last { print("  -> \(last)") }
}

print("At once: the query runs while the node opens.")
let prompt = try PromptScreen(database)
try prompt.controller.expand(RowID(.area, 2))
try prompt.controller.expand(RowID(.shelf, 13))
show("Area 2 and shelf 13 are open after \(database.queries) queries:", prompt)

print("\nLater: the query runs on another actor.")
let patient = try PatientScreen(try Librarian(at: path), areas: try database.areas())
try patient.controller.expand(RowID(.area, 1))
show("Area 1 was opened, and its shelves are on their way:", patient)
await patient.settle()
show("They are here:", patient)

try database.execute("BEGIN EXCLUSIVE")
try patient.controller.expand(RowID(.shelf, 1))
await patient.settle()
show("Shelf 1 was opened while somebody else had the database for themselves:", patient)

try database.execute("COMMIT")
try patient.controller.expand(RowID(.shelf, 1))
await patient.settle()
show("Opened again:", patient)
