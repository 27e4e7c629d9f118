import Kernel
import Storage

/// The tables that can contain data of an item.
enum DeletedItemCheck {
    private static let queries: [(table: String, query: @Sendable (ID<Item>) -> SQL)] = [
        ("item", { "SELECT 1 AS found FROM item WHERE id = \($0) LIMIT 1" }),
        ("whereabouts", { "SELECT 1 AS found FROM whereabouts WHERE item_id = \($0) LIMIT 1" }),
        ("track", { "SELECT 1 AS found FROM track WHERE item_id = \($0) LIMIT 1" }),
        (
            "fix",
            {
                """
                SELECT 1 AS found FROM fix f JOIN track t ON t.series = f.series WHERE t.item_id = \($0) LIMIT 1
                """
            }
        ),
        ("fix_segment", { "SELECT 1 AS found FROM fix_segment WHERE object_key LIKE \("%\($0)%") LIMIT 1" }),
        ("episode", { "SELECT 1 AS found FROM episode WHERE item_id = \($0) LIMIT 1" }),
        ("episode_day", { "SELECT 1 AS found FROM episode_day WHERE item_id = \($0) LIMIT 1" }),
        ("episode_progress", { "SELECT 1 AS found FROM episode_progress WHERE item_id = \($0) LIMIT 1" }),
        ("tracker", { "SELECT 1 AS found FROM tracker WHERE item_id = \($0) LIMIT 1" }),
        ("registration", { "SELECT 1 AS found FROM registration WHERE item_id = \($0) LIMIT 1" }),
        ("source", { "SELECT 1 AS found FROM source WHERE item_id = \($0) LIMIT 1" }),
        ("command", { "SELECT 1 AS found FROM command WHERE item_id = \($0) LIMIT 1" }),
        ("quarantine", { "SELECT 1 AS found FROM quarantine WHERE item_id = \($0) LIMIT 1" }),
        ("notice", { "SELECT 1 AS found FROM notice WHERE resource = \(TrackingEvents.path($0)) LIMIT 1" }),
    ]

    static func tables(naming item: ID<Item>, in tx: Transaction) throws -> [String] {
        try queries.filter { try tx.row($0.query(item)) != nil }.map(\.table)
    }
}
