import Foundation
import GRDBSQLite
import Kernel

/// A buffer for a statement's short texts and bytes while it runs, so that SQLite doesn't copy each value into its own
/// allocation.
final class SQLiteValueBuffer {
    private let place = UnsafeMutableRawPointer.allocate(byteCount: Limits.statementScratchBytes, alignment: 16)
    private var used = 0

    deinit { place.deallocate() }

    /// Empties the buffer for the next statement.
    func clear() { used = 0 }

    /// Copies bytes into the buffer.
    /// - Returns: the address of the copy, valid until ``clear()``; `nil` if there is no room left.
    func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard let source = bytes.baseAddress, bytes.count <= Limits.statementScratchBytes - used else { return nil }
        let start = place + used
        memcpy(start, source, bytes.count)
        used += bytes.count
        return UnsafeRawPointer(start)
    }

    /// Makes SQLite copy the bound value before the call returns.
    static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
