import Accounts
import Crypto
import Kernel
import Storage

/// The table `family_picture_pin`: the picture PINs of children.
///
/// A picture PIN keeps siblings apart on a shared tablet. It has few combinations, so what protects it is the limit of
/// wrong attempts; the hash only keeps it from being read at a glance.
enum PicturePINStore {
    /// Counts the wrong attempts of each child.
    static let throttle = Throttle(
        scope: "picture-pin", limit: Limits.picturePINFailures, windowSeconds: Limits.picturePINFailureSeconds)

    /// Sets the pictures, and forgets wrong attempts.
    static func set(_ pin: PicturePIN, of child: PersonID, in tx: Transaction) throws {
        try throttle.reset(child.description, in: tx)
        try tx.execute(
            """
            INSERT INTO family_picture_pin (child_id, hash) VALUES (\(child), \(hash(pin, of: child)))
            ON CONFLICT (child_id) DO UPDATE SET hash = excluded.hash
            """
        )
    }

    static func remove(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_picture_pin WHERE child_id = \(child)")
    }

    static func exists(of child: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM family_picture_pin WHERE child_id = \(child)") != nil
    }

    /// Returns the children of a household that have one.
    static func children(of household: ID<Household>, in tx: Transaction) throws -> Set<PersonID> {
        Set(
            try tx.rows(
                """
                SELECT p.child_id FROM family_picture_pin p JOIN family_member m ON m.person_id = p.child_id
                WHERE m.household_id = \(household)
                """
            ).map { try $0.get("child_id") })
    }

    static func matches(_ pin: PicturePIN, of child: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            "SELECT 1 AS found FROM family_picture_pin WHERE child_id = \(child) AND hash = \(hash(pin, of: child))"
        ) != nil
    }

    private static func hash(_ pin: PicturePIN, of child: PersonID) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(child) \(pin.text)".utf8)))
    }
}
