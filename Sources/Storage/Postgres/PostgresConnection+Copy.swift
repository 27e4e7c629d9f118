import CPostgres
import Kernel

extension PostgresConnection {
    /// Performs a `COPY … FROM STDIN` in the present transaction.
    /// - Parameter rows: calls its argument with the bytes of each row.
    func copyIn(_ statement: String, rows: ((([UInt8]) throws -> Void)) throws -> Void) throws {
        // The results of earlier statements, which may have failed.
        if requests.waitingCount > 0 { PQclear(try requests.result()) }
        try requests.copy {
            PQsendQuery(connection, statement)
        } write: { send in
            var waiting: [UInt8] = []
            try rows { row in
                waiting += row
                guard waiting.count >= Limits.copyBytes else { return }
                try send(waiting)
                waiting.removeAll(keepingCapacity: true)
            }
            if !waiting.isEmpty { try send(waiting) }
        }
    }
}
