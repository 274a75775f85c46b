/// What views that take updates insist on. A real one raises an exception, shows a wrong row, or tolerates it on some version of
/// its system; a simulated one reports it.
public enum SimulatedRule: String, Hashable, Sendable, CaseIterable {
  // MARK: At any time

  /// What is shown was laid out, with the counts of before, before the first edit of an update.
  case laidOutBeforeUpdate = "A view has laid out the old counts before the first edit of an update."
  /// Nothing switches outside of an update.
  case countsSwitchInside = "Counts are the old ones until an update has begun, and switch once, inside of it."
  /// An update begins where the one before it ended.
  case beginsWithWhatIsShown = "An update sets out from what the view has shown last."
  /// Updates are neither nested nor mixed with reloads and layout.
  case oneUpdateAtATime = "One update at a time, and neither reloads nor layout inside of it."
  /// Changes have a frame.
  case changesInsideUpdate = "Changes are told inside an update."
  /// Every row has a cell.
  case everyRowHasACell = "The data source has a cell for every row that it counts."
  /// What looks different is told.
  case whatChangedIsReloaded = "What looks different is drawn anew, by a reload of it."
  /// Identifiers name one row.
  case identifiersAreUnique = "Identifiers are unique in all of the model."
  /// No row skips a level.
  case parentBeforeChild = "A parent is there before its child."

  // MARK: All change at once

  /// Rows and sections are there in the numbering that they are told in.
  case everyPathExists =
    "Deletes, reloads and where moves come from exist in old numbers; inserts and targets in new ones."
  /// Sections add up.
  case sectionsAddUp = "Sections: the new count is the old one, less those deleted, and those inserted."
  /// Rows add up.
  case rowsAddUp = "Rows of a section that stays: the new count is the old one, less what left, and what came."
  /// What stays does so in its order.
  case restKeepsOrder = "What neither comes nor moves fills the places that are left, in its old order."
  /// Nothing is told twice.
  case nothingTwice = "Nothing is told twice in the same way."
  /// Row changes exclude each other.
  case oneChangeARow = "A row is deleted, moved or reloaded; a place is inserted or moved to."
  /// Section changes exclude each other.
  case oneChangeASection = "A section is deleted, moved or reloaded; a place is inserted or moved to."
  /// Sections take their rows along.
  case noRowsInChangedSections = "No row changes in a section that is deleted, inserted or reloaded."
  /// Sections that move are left alone.
  case noRowsInMovedSections = "No row changes in a section that moves."
  /// Content comes after structure.
  case noReloadsBesideMoves = "Nothing is reloaded in an update that moves something of the same kind."
  /// Moves lead elsewhere.
  case movesLeadElsewhere = "Nothing moves to where it would come to stand anyway."

  // MARK: One step after the other

  /// A step is possible at its moment.
  case stepsCountAsTheyGo = "Each step counts what is there at its moment."
  /// The steps lead to the new model.
  case stepsAddUp = "After the last step there is what the data source has."
  /// Content comes after structure.
  case noReloadsBesideSteps = "Rows are reloaded in an update of their own, after all steps."

  // MARK: Outlines

  /// The data source goes along.
  case answersAfterEachCall = "At each call the data source answers as it is after it."
  /// Closed items show no children.
  case nothingBelowClosedItems = "Nothing is told of what is below an item that is closed or not shown."
  /// What comes is closed.
  case itemsComeClosed = "What comes is closed, and is opened by a call of its own."
  /// Open and closed are told.
  case opensAndClosesOnce = "An item that is closed opens and one that is open closes, outside of updates."
  /// Trees have no circles.
  case neverBelowItself = "Nothing moves below itself."
  /// Rows of an outline follow from what is open.
  case rowsFollow = "The rows of an outline are what is shown of its open items, in order."
}
