package import Kernel
package import Storage

extension Notice {
    /// Returns the number of notifications of a kind in a person's feed.
    /// - Parameter limit: the maximum result; counting stops there.
    package static func count(
        _ kind: NoticeKind, of person: PersonID, upTo limit: Int, in tx: Transaction
    ) throws -> Int {
        try tx.rows(
            """
            SELECT id FROM notice WHERE account_id = \(person) AND kind = \(kind.rawValue) LIMIT \(limit)
            """
        ).count
    }
}
