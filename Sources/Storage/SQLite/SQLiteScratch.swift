import Foundation
import GRDBSQLite
import Kernel

/// Where a statement's short texts and bytes lie while it runs, so that SQLite needs no copies of its own: each would
/// be an allocation.
final class SQLiteScratch {
    private let place = UnsafeMutableRawPointer.allocate(byteCount: Limits.statementScratchBytes, alignment: 16)
    private var used = 0

    deinit { place.deallocate() }

    /// Gives the place free again, for the next statement.
    func clear() { used = 0 }

    /// - Returns: where the bytes lie until ``clear()``; `nil` when there is no room left.
    func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard let source = bytes.baseAddress, bytes.count <= Limits.statementScratchBytes - used else { return nil }
        let start = place + used
        memcpy(start, source, bytes.count)
        used += bytes.count
        return UnsafeRawPointer(start)
    }

    /// Has SQLite copy what is bound before the call returns.
    static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
