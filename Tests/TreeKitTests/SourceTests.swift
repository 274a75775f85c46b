import Testing

@testable import TreeKit

private struct Trouble: Error, Equatable { var number = 0 }

/// A place where loads wait until a test lets them go on.
private actor Gate {
  private var waiting: [String: CheckedContinuation<[TestItem], any Error>] = [:]
  private var arrivals: [CheckedContinuation<Void, Never>] = []
  private(set) var cancelled: [String] = []

  func wait(_ id: String) async throws -> [TestItem] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting[id] = continuation
        for arrival in arrivals { arrival.resume() }
        arrivals = []
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  func arrived(_ id: String) async {
    while waiting[id] == nil { await withCheckedContinuation { arrivals.append($0) } }
  }

  func open(_ id: String, with result: Result<[TestItem], any Error>) async {
    await arrived(id)
    waiting.removeValue(forKey: id)?.resume(with: result)
  }

  private func cancel(_ id: String) {
    cancelled.append(id)
    waiting.removeValue(forKey: id)?.resume(throwing: CancellationError())
  }

  func wasCancelled(_ id: String) async {
    while !cancelled.contains(id) { await Task.yield() }
  }
}

/// Waits until something holds that other tasks of this actor bring about.
private func until(isolation: isolated (any Actor)? = #isolation, _ holds: () -> Bool) async {
  while !holds() { await Task.yield() }
}

@MainActor @Suite struct MainActorTests {
  @Test func aSourceFillsWhatIsOpened() async throws {
    let gate = Gate()
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    controller.setSource { try await gate.wait($0.id) }
    try controller.expand("A")
    #expect(table.log.suffix(2) == ["did A expanded", "changed 1 changed"])
    await gate.open("A", with: .success([leaf("1")]))
    await until { table.shown.count == 3 }
    #expect(table.shown == ["A", "1", "B"])
    #expect(table.loads.isEmpty)
  }

  @Test func aSourceThatFailsIsTriedAgain() async throws {
    let gate = Gate()
    let (controller, table) = try shownController([folder("A")])
    let node = try #require(controller.tree.find("A"))
    controller.setSource { try await gate.wait($0.id) }
    try controller.expand("A")
    await gate.open("A", with: .failure(Trouble(number: 3)))
    await until { controller.tree.error(of: node) != nil }
    #expect(controller.tree.error(of: node) as? Trouble == Trouble(number: 3))
    try controller.expand("A")
    await gate.open("A", with: .success([leaf("1")]))
    await until { table.shown.count == 2 }
  }

  @Test func aCancelledTaskLeavesTheNodeAsItWas() async throws {
    let gate = Gate()
    let (controller, _) = try shownController([folder("A")])
    let node = try #require(controller.tree.find("A"))
    controller.setSource { try await gate.wait($0.id) }
    try controller.expand("A")
    await gate.open("A", with: .failure(CancellationError()))
    await until { (try? controller.tree.loadState(of: node)) == .unloaded }
  }

  @Test func aListWithAFaultIsAFailedLoad() async throws {
    let (controller, table) = try shownController([folder("A")])
    let node = try #require(controller.tree.find("A"))
    controller.setSource { _ in [leaf("1"), leaf("1")] }
    try controller.expand("A")
    await until { controller.tree.error(of: node) != nil }
    #expect(controller.tree.error(of: node) as? TreeError == .duplicate(item: [1], other: .items([0])))
    #expect(table.shown == ["A"])
  }

  @Test func whatNobodyWantsAnyMoreIsCancelled() async throws {
    let gate = Gate()
    let (controller, _) = try shownController([folder("A"), folder("B"), folder("C")])
    controller.setSource { try await gate.wait($0.id) }
    for id in ["A", "B", "C"] {
      try controller.expand(id)
      await gate.arrived(id)
    }
    try controller.update { tree in try tree.delete(#require(tree.find("A"))) }
    await gate.wasCancelled("A")
    try controller.setNewVersionOfItem(leaf("B"))
    await gate.wasCancelled("B")
    controller.cancelLoad(of: try #require(controller.tree.find("C")))
    await gate.wasCancelled("C")
  }

  @Test func aSourceThatIgnoresCancellationIsRefused() async throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    let (results, given) = AsyncStream.makeStream(of: [TestItem].self)
    controller.setSource { _ in
      await Task.detached {
        for await items in results { return items }; return []
      }.value
    }
    try controller.expand("A")
    controller.cancelLoad(of: try #require(controller.tree.find("A")))
    given.yield([leaf("late")])
    given.finish()
    for _ in 0..<100 { await Task.yield() }
    #expect(table.shown == ["A", "B"])
  }

  @Test func releasingTheControllerCancelsItsLoads() async throws {
    let gate = Gate()
    weak var held: TestController?
    do {
      let (controller, _) = try shownController([folder("A")])
      held = controller
      controller.setSource { try await gate.wait($0.id) }
      try controller.expand("A")
      await gate.arrived("A")
    }
    #expect(held == nil)
    await gate.wasCancelled("A")
  }

  @Test func aMainActorTypeConformsInIsolation() async throws {
    let screen = try Screen()
    try screen.controller.expand("A")
    #expect(screen.told == ["reload", "1 inserted"])
  }

  @Test func theSeedsFormFetchesInDidAndHandsInANewVersion() async throws {
    let gate = Gate()
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    var task: Task<Void, any Error>?
    table.did = { controller, item, state in
      guard state == .expanded else { return }
      task = Task { try controller.setNewVersionOfItem(item.copyWithChildren(try await gate.wait(item.id))) }
    }
    try controller.expand("A")
    await gate.open("A", with: .success([leaf("1")]))
    try await task?.value
    #expect(table.shown == ["A", "1", "B"])
  }
}

@MainActor private final class Screen {
  var told: [String] = []
  let controller = TestController()

  init() throws {
    controller.delegate = self
    try controller.setItems([folder("A")])
  }
}

extension Screen: @MainActor TreeControllerDelegate {
  func controller(_ controller: TestController, load: TreeLoad<String, Int>) {
    load.finish([leaf("1")])
  }

  func controller(_ controller: TestController, changed changes: TreeChanges) {
    told.append("\(changes)")
  }
}

/// The same from an actor that is not the main one.
private actor Librarian {
  let controller = TestController()
  let table = TableDelegate()

  func prepare() throws {
    controller.delegate = table
    try controller.setItems([folder("A"), leaf("B")])
  }

  func begin(_ gate: Gate) async throws {
    controller.setSource { try await gate.wait($0.id) }
    try controller.expand("A")
    await gate.arrived("A")
  }

  func open(_ gate: Gate) async throws -> [String] {
    controller.setSource { try await gate.wait($0.id) }
    try controller.expand("A")
    await until { table.shown.count == 3 }
    return table.shown
  }
}

@Suite struct OtherActorTests {
  @Test func anotherActorOwnsAControllerJustAsWell() async throws {
    let librarian = Librarian()
    try await librarian.prepare()
    let gate = Gate()
    async let shown = librarian.open(gate)
    await gate.open("A", with: .success([leaf("1")]))
    #expect(try await shown == ["A", "1", "B"])
  }

  @Test func anActorIsLetGoWhileItsControllerLoads() async throws {
    let gate = Gate()
    weak var held: Librarian?
    do {
      let librarian = Librarian()
      held = librarian
      try await librarian.prepare()
      try await librarian.begin(gate)
    }
    while held != nil { await Task.yield() }
    await gate.wasCancelled("A")
  }

  @Test func aControllerMayBeMadeHereAndSentAway() async throws {
    func make() throws -> sending TestController {
      let controller = TestController()
      try controller.setItems([leaf("A")])
      return controller
    }
    actor Owner {
      let controller: TestController
      init(_ controller: sending TestController) { self.controller = controller }
      var count: Int { controller.rowCount }
    }
    #expect(await Owner(try make()).count == 1)
  }
}
