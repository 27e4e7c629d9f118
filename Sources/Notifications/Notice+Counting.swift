package import Kernel
package import Storage

extension Notice {
    /// Returns how many notifications of a kind a person's list has.
    /// - Parameter limit: The highest number that is counted.
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
