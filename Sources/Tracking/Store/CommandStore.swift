import Kernel
import Storage
import TrackerProtocol

/// The table `command`.
enum CommandStore {
    /// The recipient of a command.
    enum Receiver {
        case tracker(StoredTracker)
        case source(ID<Source>)

        /// Whether its commands are sent through Hologram's cloud.
        fileprivate var isReachedByCloud: Bool {
            if case .tracker(let tracker) = self { tracker.hologramDevice != nil } else { false }
        }

        fileprivate var condition: SQL {
            switch self {
            case .tracker(let tracker): "tracker_id = \(tracker.id)"
            case .source(let source): "source_id = \(source)"
            }
        }
    }

    private static let columns: SQL = "id, kind, state, created_at, expires_at, version"
    private static let isOpen: SQL = "state IN ('queued', 'sent')"

    /// Queues a command; it supersedes the open commands of its group.
    static func queue(_ command: Command, to receiver: Receiver, item: ID<Item>?, in tx: Transaction) throws {
        // The jobs are locked before the commands, as by the end of a delivery.
        let isSuperseded: SQL =
            "\(sql: receiver.condition) AND \(sql: isOpen) AND kind IN \(list: command.kind.group)"
        if receiver.isReachedByCloud {
            let ids: [ID<Command>] = try tx.rows("SELECT id FROM command WHERE \(sql: isSuperseded)").map {
                try $0.get("id")
            }
            try HologramJobs.remove(ids, in: tx)
        }
        try tx.execute("UPDATE command SET state = 'superseded', version = version + 1 WHERE \(sql: isSuperseded)")
        var trackerID: String?
        var sourceID: ID<Source>?
        switch receiver {
        case .tracker(let tracker): trackerID = tracker.id.description
        case .source(let source): sourceID = source
        }
        try tx.execute(
            """
            INSERT INTO command (id, tracker_id, source_id, item_id, kind, state, created_at, expires_at) VALUES (
                \(command.id), \(trackerID), \(sourceID), \(item), \(command.kind), \(command.state),
                \(command.createdAt), \(command.expiresAt)
            )
            """
        )
        // A tracker that hasn't registered yet would refuse the command; it gets its commands when it registers.
        if case .tracker(let tracker) = receiver, tracker.hologramDevice != nil, tracker.state != .registering {
            try HologramJobs.enqueue(command, in: tx)
        }
    }

    /// The open commands that have not expired, oldest first.
    static func waiting(for receiver: Receiver, now: Instant, in tx: Transaction) throws -> [Command] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM command
            WHERE \(sql: receiver.condition) AND \(sql: isOpen) AND (expires_at IS NULL OR expires_at > \(now))
            ORDER BY id LIMIT \(Limits.commandsPerMessage)
            """
        ).map(read)
    }

    /// Sets the final state of an open command.
    /// - Returns: `nil` when the command isn't open or belongs to another recipient.
    static func finish(
        _ id: ID<Command>, of receiver: Receiver, as state: CommandState, in tx: Transaction
    ) throws -> Command? {
        if receiver.isReachedByCloud {
            // The job is locked before the command, as by the end of a delivery.
            let isOwn = try tx.row(
                "SELECT 1 AS one FROM command WHERE id = \(id) AND \(sql: receiver.condition) AND \(sql: isOpen)")
            if isOwn != nil { try HologramJobs.remove([id], in: tx) }
        }
        return try tx.row(
            """
            UPDATE command SET state = \(state), version = version + 1
            WHERE id = \(id) AND \(sql: receiver.condition) AND \(sql: isOpen)
            RETURNING \(sql: columns)
            """
        ).map(read)
    }

    /// A switch that expired before its confirmation came, unless the tracker has got a newer one.
    static func expiredSwitch(_ id: ID<Command>, of tracker: StoredTracker, in tx: Transaction) throws -> CommandKind? {
        let newest = try tx.row(
            """
            SELECT id, kind, state FROM command WHERE tracker_id = \(tracker.id)
                AND kind IN \(list: CommandKind.activate.group) ORDER BY id DESC LIMIT 1
            """
        )
        guard let newest, try newest.get("id") == id, try newest.get("state") == CommandState.expired else {
            return nil
        }
        return try newest.get("kind")
    }

    static func markSent(_ ids: [ID<Command>], in tx: Transaction) throws {
        guard !ids.isEmpty else { return }
        try tx.execute(
            """
            UPDATE command SET state = 'sent', version = version + 1 WHERE id IN \(list: ids) AND state = 'queued'
            """
        )
    }

    /// An item's commands, newest first. An expired command has that state at once.
    static func page(
        of item: ID<Item>, after: ID<Command>?, limit: Int, now: Instant, in tx: Transaction
    ) throws -> [Command] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM command WHERE item_id = \(item) \(sql: .before(after))
            ORDER BY id DESC LIMIT \(limit)
            """
        ).map { try read($0).lapsed(at: now) }
    }

    static func command(_ id: ID<Command>, now: Instant, in tx: Transaction) throws -> Command? {
        try tx.row("SELECT \(sql: columns) FROM command WHERE id = \(id)").map { try read($0).lapsed(at: now) }
    }

    static func delete(of receiver: Receiver, in tx: Transaction) throws {
        try tx.execute("DELETE FROM command WHERE \(sql: receiver.condition)")
    }

    static func delete(item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM command WHERE item_id = \(item)")
    }

    /// Marks expired commands and returns the items that they belong to.
    static func expire(now: Instant, in tx: Transaction) throws -> [ID<Item>] {
        let items = try tx.rows(
            """
            UPDATE command SET state = 'expired', version = version + 1 WHERE id IN (
                SELECT id FROM command WHERE \(sql: isOpen) AND expires_at <= \(now)
                ORDER BY expires_at LIMIT \(Limits.housekeepingBatch)
            ) RETURNING item_id
            """
        ).compactMap { try $0.get("item_id", as: ID<Item>?.self) }
        return Set(items).sorted()
    }

    /// Marks the expired commands of one tracker.
    static func expire(of tracker: TrackerID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE command SET state = 'expired', version = version + 1
            WHERE tracker_id = \(tracker) AND \(sql: isOpen) AND expires_at <= \(now)
            """
        )
    }

    static func hasOpenSwitch(of tracker: TrackerID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS one FROM command WHERE tracker_id = \(tracker) AND \(sql: isOpen)
                AND kind IN \(list: CommandKind.activate.group) LIMIT 1
            """
        ) != nil
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        try tx.executeAndWait(
            "DELETE FROM command WHERE state NOT IN ('queued', 'sent') AND expires_at < \(before)"
        )
    }

    private static func read(_ row: Row) throws -> Command {
        Command(
            id: try row.get("id"), kind: try row.get("kind"), state: try row.get("state"),
            createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"), version: try row.get("version")
        )
    }
}

extension CommandKind {
    /// The kinds of which only the newest open command counts.
    var group: [CommandKind] {
        isSwitch ? [.activate, .on, .off, .release] : [self]
    }

    /// Whether the command decides if the tracker locates.
    var isSwitch: Bool {
        switch self {
        case .activate, .on, .off, .release: true
        case .locate, .ring: false
        }
    }
}

extension Command {
    /// The command with its state at an instant, even if housekeeping has not run yet.
    func lapsed(at now: Instant) -> Command {
        guard state == .queued || state == .sent, let expiresAt, expiresAt <= now else { return self }
        return Command(
            id: id, kind: kind, state: .expired, createdAt: createdAt, expiresAt: expiresAt, version: version + 1
        )
    }
}
