import CSQLite

/// A library's catalogue in a database: areas have shelves, shelves have books.
package final class Database {
  private let connection: OpaquePointer
  /// How many queries were made.
  package private(set) var queries = 0

  package init(at path: String) throws(DatabaseError) {
    var connection: OpaquePointer?
    guard sqlite3_open(path, &connection) == SQLITE_OK, let connection else {
      sqlite3_close(connection)
      throw DatabaseError(text: "cannot open \(path)")
    }
    self.connection = connection
  }

  deinit { sqlite3_close(connection) }

  package func execute(_ sql: String) throws(DatabaseError) {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw lastError }
  }

  /// Makes a catalogue of ten areas, a hundred shelves and a thousand books.
  package func fill() throws(DatabaseError) {
    try execute(
      """
      CREATE TABLE area (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, area INTEGER REFERENCES area, name TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, shelf INTEGER REFERENCES shelf, name TEXT);
      CREATE INDEX shelf_area ON shelf (area);
      CREATE INDEX book_shelf ON book (shelf);
      BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
        INSERT INTO area SELECT i, 'Area ' || i FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO shelf SELECT i, (i + 9) / 10, 'Shelf ' || i FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO book SELECT i, (i + 9) / 10, 'Book ' || i FROM n;
      COMMIT;
      """)
  }

  /// The numbers and names that a query finds.
  func rows(_ sql: String, _ parameter: Int64?) throws(DatabaseError) -> [(id: Int64, name: String)] {
    queries += 1
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw lastError }
    defer { sqlite3_finalize(statement) }
    if let parameter { sqlite3_bind_int64(statement, 1, parameter) }
    var rows: [(id: Int64, name: String)] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        let name = sqlite3_column_text(statement, 1).map { String(cString: $0) } ?? ""
        rows.append((sqlite3_column_int64(statement, 0), name))
      case SQLITE_DONE: return rows
      default: throw lastError
      }
    }
  }

  private var lastError: DatabaseError {
    DatabaseError(text: String(cString: sqlite3_errmsg(connection)))
  }
}

package struct DatabaseError: Error, Hashable {
  package let text: String
}
