/// What simulated tables have in common. Make a ``SimulatedBatchTable`` or a ``SimulatedStepTable``.
public class SimulatedTable<ID: Hashable>: SimulatedView {
  /// What it asks.
  public let source: SimulatedDataSource<ID>
  private(set) var shown = ShownTable<ID>()
  private var switches: Switches<ID>
  /// What is shown once the update is over.
  private var result = ShownTable<ID>()

  init(_ source: SimulatedDataSource<ID>, _ onViolation: @escaping (SimulatedViolation) -> Void) {
    self.source = source
    switches = Switches(from: shown)
    super.init(onViolation)
  }

  override func load(afterReload: Bool) { shown = ShownTable(asking: source) }

  override func checkLoaded() throws(SimulatedViolation) { try shown.checkCells(of: source) }

  override func checkNothingHasSwitched(_ when: String) throws(SimulatedViolation) {
    try ShownTable(asking: source).check(against: shown, .countsSwitchInside, .beginsWithWhatIsShown, when)
  }

  override func checkAll() throws(SimulatedViolation) {
    let now = ShownTable(asking: source)
    try now.checkCells(of: source)
    try shown.checkLooks(against: now)
  }

  // MARK: Updates

  override func begin() { switches = Switches(from: shown) }

  /// One call, at which the data source is asked for its counts.
  func note(_ name: String, _ body: () throws(SimulatedViolation) -> Void) {
    call(name) { () throws(SimulatedViolation) in
      var asking = switches
      defer { switches = asking }
      try asking.ask(source, name)
      try body()
    }
  }

  override func end() throws(SimulatedViolation) {
    let new = ShownTable(asking: source)
    try switches.end(with: new)
    result = try applied(to: new)
    try new.checkIdentifiers(of: source)
  }

  /// What is shown when all that an update told is applied, where the data source has what is new.
  func applied(to new: ShownTable<ID>) throws(SimulatedViolation) -> ShownTable<ID> { new }

  override func accept() {
    let result = result
    attempt { () throws(SimulatedViolation) in
      try ShownTable(asking: source)
        .check(against: result, .countsSwitchInside, .countsSwitchInside, "At the end of the update")
      shown = result
    }
  }
}
