/// One row of an answer. Values are copies: a row outlives its transaction.
package struct Row: Sendable {
    let columns: RowColumns
    let values: [SQLValue]

    /// The content of the column at `index`, counted from 0; for what is read so often that looking for a name tells.
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

    /// The content of `column`.
    /// - Throws: ``StorageError/column(_:problem:)`` when there is no such column or its content is of another kind.
    package func get<T: SQLReadable>(_ column: String, as type: T.Type = T.self) throws -> T {
        guard let index = columns.names.firstIndex(of: column) else {
            throw StorageError.column(column, problem: "is not among \(columns.names.joined(separator: ", "))")
        }
        return try get(at: index)
    }
}

/// The names of an answer's columns, shared by its rows.
final class RowColumns: Sendable {
    let names: [String]
    init(names: [String]) { self.names = names }
}
