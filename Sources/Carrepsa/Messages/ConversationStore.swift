import Kernel
import Storage

/// A row of `carrepsa_conversation`.
struct Conversation: Sendable, Hashable {
    let id: ID<Conversation>
    let package: ID<Package>
    let carrier: PersonID?
    var messages: Int64
    var ownerRead: Int64
    var carrierRead: Int64

    func read(by role: PackageRole) -> Int64 { role == .owner ? ownerRead : carrierRead }
}

/// The table `carrepsa_conversation`.
enum ConversationStore {
    private static let columns: SQL = """
        id, package_id, carrier_id, messages, owner_read, carrier_read
        """

    static func find(_ package: ID<Package>, carrier: PersonID, in tx: Transaction) throws -> Conversation? {
        try tx.row(
            """
            SELECT \(sql: columns) FROM carrepsa_conversation
            WHERE package_id = \(package) AND carrier_id = \(carrier)
            """
        ).map(read)
    }

    /// Returns the conversation with the last carrier.
    static func newest(_ package: ID<Package>, in tx: Transaction) throws -> Conversation? {
        try tx.row(
            """
            SELECT \(sql: columns) FROM carrepsa_conversation WHERE package_id = \(package) ORDER BY id DESC LIMIT 1
            """
        ).map(read)
    }

    static func insert(_ conversation: Conversation, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_conversation (
                id, package_id, carrier_id, messages, owner_read, carrier_read
            ) VALUES (
                \(conversation.id), \(conversation.package), \(conversation.carrier), \(conversation.messages),
                \(conversation.ownerRead), \(conversation.carrierRead)
            )
            """
        )
    }

    /// Stores the number of the last message.
    static func setCount(_ messages: Int64, of id: ID<Conversation>, in tx: Transaction) throws {
        try tx.execute("UPDATE carrepsa_conversation SET messages = \(messages) WHERE id = \(id)")
    }

    /// Records that owner or carrier has read the messages up to a number.
    /// - Returns: `false` if nothing changed.
    static func setRead(
        _ number: Int64, by role: PackageRole, in conversation: ID<Conversation>, in tx: Transaction
    ) throws -> Bool {
        let column: SQL = role == .owner ? "owner_read" : "carrier_read"
        return try tx.executeCounting(
            """
            UPDATE carrepsa_conversation SET \(sql: column) = \(number)
            WHERE id = \(conversation) AND \(sql: column) < \(number) AND messages >= \(number)
            """
        ) > 0
    }

    private static func read(_ row: Row) throws -> Conversation {
        Conversation(
            id: try row.get("id"), package: try row.get("package_id"), carrier: try row.get("carrier_id"),
            messages: try row.get("messages"), ownerRead: try row.get("owner_read"),
            carrierRead: try row.get("carrier_read"))
    }
}
