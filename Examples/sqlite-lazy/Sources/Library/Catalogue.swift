import TreeKit

/// What names a row of any table: the table is part of it, since tables count their rows independently.
package struct RowID: RawRepresentable, TreeIdentifier {
  package enum Table: Int64, Sendable { case area, shelf, book }

  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package init(_ table: Table, _ number: Int64) {
    rawValue = number * 4 + table.rawValue
  }

  package var table: Table? { Table(rawValue: rawValue & 3) }
  package var number: Int64 { rawValue >> 2 }
}

package typealias CatalogueItem = TreeItem<RowID, String>
package typealias CatalogueController = TreeController<RowID, String>

extension Database {
  /// The topmost level: all that is loaded before anything is opened.
  package func areas() throws(DatabaseError) -> [CatalogueItem] {
    try rows("SELECT id, name FROM area ORDER BY id", nil).map {
      TreeItem(RowID(.area, $0.id), value: $0.name, children: .unloaded)
    }
  }

  /// The children of an item: one query.
  package func children(of id: RowID) throws(DatabaseError) -> [CatalogueItem] {
    switch id.table {
    case .area:
      try rows("SELECT id, name FROM shelf WHERE area = ? ORDER BY id", id.number).map {
        TreeItem(RowID(.shelf, $0.id), value: $0.name, children: .unloaded)
      }
    case .shelf:
      try rows("SELECT id, name FROM book WHERE shelf = ? ORDER BY id", id.number).map {
        TreeItem(RowID(.book, $0.id), value: $0.name)
      }
    case .book, nil: []
    }
  }
}

/// The database on an actor of its own, for those who do not want to wait for it.
package actor Librarian {
  private let database: Database

  package init(at path: String) throws(DatabaseError) {
    database = try Database(at: path)
  }

  package func children(of id: RowID) throws(DatabaseError) -> [CatalogueItem] {
    try database.children(of: id)
  }

  package var queries: Int { database.queries }
}
