import Kernel
import Storage

extension Row {
    /// Returns the date of a column with text such as `2026-03-01`.
    func localDate(_ column: String) throws -> LocalDate {
        guard let date = LocalDate(try get(column, as: String.self)) else { throw SQLMismatch(expected: "date") }
        return date
    }
}
