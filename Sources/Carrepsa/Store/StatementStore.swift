import Kernel
import Pictures
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
        let picture: ID<Picture>?
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
        let start: SQL = last.map { " AND (s.package_id, s.number) > (\($0.package), \($0.number))" } ?? SQL()
        return try tx.rows(
            """
            SELECT s.package_id, s.number, s.at, s.event, s.note, s.split_reward, s.split_deposit, f.picture_id
            FROM carrepsa_story s
            LEFT JOIN carrepsa_proof f ON f.package_id = s.package_id AND f.number = s.number
            WHERE s.person_id = \(person) AND (s.note IS NOT NULL OR s.split_reward IS NOT NULL)\(sql: start)
            ORDER BY s.package_id, s.number LIMIT \(limit)
            """
        ).map { row in
            Statement(
                package: try row.get("package_id"), number: try row.get("number"), at: try row.get("at"),
                event: try row.get("event"), note: try row.get("note"), split: try MoneySplit(row),
                picture: try row.get("picture_id"))
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
