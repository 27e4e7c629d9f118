import Kernel
import Storage

/// The texts and offers that a person has added to the histories of packages.
enum StatementStore {
    /// A person's entry in the history of a package.
    struct Statement: Sendable {
        let package: ID<Package>
        /// Unique within the package.
        let number: Int64
        let at: Instant
        let event: String
        let note: String?
        let split: MoneySplit?
    }

    /// The position of an entry in the order of packages and numbers.
    struct Cursor: Sendable, CustomStringConvertible {
        let package: ID<Package>
        let number: Int64

        init(_ statement: Statement) {
            package = statement.package
            number = statement.number
        }

        /// Reads ``description``.
        init?(_ text: String) {
            let halves = text.split(separator: "~", omittingEmptySubsequences: false)
            guard halves.count == 2, let package = ID<Package>(halves[0]), let number = Int64(halves[1]) else {
                return nil
            }
            self.package = package
            self.number = number
        }

        var description: String { "\(package)~\(number)" }
    }

    /// Returns the person's entries with a text or an offer, in the order of packages and numbers.
    static func page(
        of person: PersonID, after last: Cursor?, limit: Int, in tx: Transaction
    ) throws -> [Statement] {
        let start: SQL = last.map { " AND (package_id, number) > (\($0.package), \($0.number))" } ?? SQL()
        return try tx.rows(
            """
            SELECT package_id, number, at, event, note, split_reward, split_deposit FROM carrepsa_story
            WHERE person_id = \(person) AND (note IS NOT NULL OR split_reward IS NOT NULL)\(sql: start)
            ORDER BY package_id, number LIMIT \(limit)
            """
        ).map { row in
            Statement(
                package: try row.get("package_id"), number: try row.get("number"), at: try row.get("at"),
                event: try row.get("event"), note: try row.get("note"), split: try MoneySplit(row))
        }
    }
}

extension MoneySplit {
    /// Reads the division of an entry in the history; `nil` if it has none.
    init?(_ row: Row) throws {
        guard let reward: Int64 = try row.get("split_reward"), let deposit: Int64 = try row.get("split_deposit") else {
            return nil
        }
        self.init(rewardToCarrier: reward, depositToOwner: deposit)
    }
}
