/// One row of a query's result. Its values are copies, so it can be used after the transaction.
package struct Row: Sendable {
    let columns: RowColumns
    let values: [SQLValue]

    /// Returns the value of the column at `index`, counted from 0. Use it where the search by name would be measurable.
    /// - Throws: as ``get(_:as:)``.
    package func get<T: SQLReadable>(at index: Int, as type: T.Type = T.self) throws -> T {
        guard index < values.count else { throw StorageError.column("\(index)", problem: "is not there") }
        do {
            return try T(sqlValue: values[index])
        } catch let mismatch as SQLMismatch {
            let problem = "holds \(values[index].typeName), expected \(mismatch.expected)"
            throw StorageError.column(columns.names[index], problem: problem)
        }
    }

    /// Returns the value of `column`.
    /// - Throws: ``StorageError/column(_:problem:)`` if there is no such column or its value has another type.
    package func get<T: SQLReadable>(_ column: String, as type: T.Type = T.self) throws -> T {
        guard let index = columns.names.firstIndex(of: column) else {
            throw StorageError.column(column, problem: "is not among \(columns.names.joined(separator: ", "))")
        }
        return try get(at: index)
    }
}

/// The column names of a query's result, shared by its rows.
final class RowColumns: Sendable {
    let names: [String]
    init(names: [String]) { self.names = names }
}
