import Kernel
import Storage
import TrackerProtocol

/// The table `command`.
enum CommandStore {
    /// Whom a command is for.
    enum Receiver {
        case tracker(StoredTracker)
        case source(ID<Source>)

        fileprivate var condition: SQL {
            switch self {
            case .tracker(let tracker): "tracker_id = \(tracker.id)"
            case .source(let source): "source_id = \(source)"
            }
        }
    }

    private static let columns: SQL = "id, kind, state, created_at, expires_at, version"
    private static let isOpen: SQL = "state IN ('queued', 'sent')"

    /// Queues a command; open ones of the same group make way for it.
    static func queue(_ command: Command, to receiver: Receiver, item: ID<Item>?, in tx: Transaction) throws {
        _ = try tx.execute(
            """
            UPDATE command SET state = 'superseded', version = version + 1
            WHERE \(sql: receiver.condition) AND \(sql: isOpen) AND kind IN \(list: command.kind.group)
            """
        )
        var trackerID: String?
        var sourceID: ID<Source>?
        switch receiver {
        case .tracker(let tracker): trackerID = tracker.id.description
        case .source(let source): sourceID = source
        }
        _ = try tx.execute(
            """
            INSERT INTO command (id, tracker_id, source_id, item_id, kind, state, created_at, expires_at) VALUES (
                \(command.id), \(trackerID), \(sourceID), \(item), \(command.kind), \(command.state),
                \(command.createdAt), \(command.expiresAt)
            )
            """
        )
        // A tracker that hasn't heard of its owner yet would refuse: with that it gets its commands, too.
        if case .tracker(let tracker) = receiver, tracker.hologramDevice != nil, tracker.state != .registering {
            try ErrandStore.add(command.id, at: command.createdAt, in: tx)
        }
    }

    /// The open commands that have not lapsed, oldest first.
    static func waiting(for receiver: Receiver, now: Instant, in tx: Transaction) throws -> [Command] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM command
            WHERE \(sql: receiver.condition) AND \(sql: isOpen) AND (expires_at IS NULL OR expires_at > \(now))
            ORDER BY id LIMIT \(Limits.commandsPerMessage)
            """
        ).map(read)
    }

    /// Moves an open command on.
    /// - Returns: whether it was open, and this receiver's.
    static func finish(
        _ id: ID<Command>, of receiver: Receiver, as state: CommandState, in tx: Transaction
    ) throws -> Command? {
        let finished = try tx.row(
            """
            UPDATE command SET state = \(state), version = version + 1
            WHERE id = \(id) AND \(sql: receiver.condition) AND \(sql: isOpen)
            RETURNING \(sql: columns)
            """
        ).map(read)
        if finished != nil, case .tracker(let tracker) = receiver, tracker.hologramDevice != nil {
            try ErrandStore.remove(id, in: tx)
        }
        return finished
    }

    /// A switch that lapsed before its confirmation came, and that no newer one of that tracker has followed.
    static func lapsedSwitch(_ id: ID<Command>, of tracker: StoredTracker, in tx: Transaction) throws -> CommandKind? {
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

    /// Notes that these went out.
    static func markSent(_ ids: [ID<Command>], in tx: Transaction) throws {
        guard !ids.isEmpty else { return }
        _ = try tx.execute(
            """
            UPDATE command SET state = 'sent', version = version + 1 WHERE id IN \(list: ids) AND state = 'queued'
            """
        )
    }

    /// An item's commands, newest first; one that has lapsed shows so at once.
    static func page(
        of item: ID<Item>, after: ID<Command>?, limit: Int, now: Instant, in tx: Transaction
    ) throws -> [Command] {
        // Sorts behind every id.
        let before = after?.description ?? "~"
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM command WHERE item_id = \(item) AND id < \(before)
            ORDER BY id DESC LIMIT \(limit)
            """
        ).map { try read($0).lapsed(at: now) }
    }

    static func command(_ id: ID<Command>, now: Instant, in tx: Transaction) throws -> Command? {
        try tx.row("SELECT \(sql: columns) FROM command WHERE id = \(id)").map { try read($0).lapsed(at: now) }
    }

    static func delete(of receiver: Receiver, in tx: Transaction) throws {
        _ = try tx.execute("DELETE FROM command WHERE \(sql: receiver.condition)")
    }

    static func delete(item: ID<Item>, in tx: Transaction) throws {
        _ = try tx.execute("DELETE FROM command WHERE item_id = \(item)")
    }

    /// Marks lapsed commands, and answers whose items they were.
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

    /// Marks the lapsed commands of one tracker.
    static func expire(of tracker: TrackerID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE command SET state = 'expired', version = version + 1
            WHERE tracker_id = \(tracker) AND \(sql: isOpen) AND expires_at <= \(now)
            """
        )
    }

    /// Whether a switch of the tracker is open.
    static func hasOpenSwitch(of tracker: TrackerID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS one FROM command WHERE tracker_id = \(tracker) AND \(sql: isOpen)
                AND kind IN \(list: CommandKind.activate.group) LIMIT 1
            """
        ) != nil
    }

    static func prune(before: Instant, in tx: Transaction) throws {
        _ = try tx.execute(
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
    /// Of these only the newest counts.
    var group: [CommandKind] {
        isSwitch ? [.activate, .on, .off, .release] : [self]
    }

    /// It decides whether the tracker locates.
    var isSwitch: Bool {
        switch self {
        case .activate, .on, .off, .release: true
        case .locate, .ring: false
        }
    }
}

extension Command {
    /// The command as it stands at an instant, whether or not housekeeping has come by.
    func lapsed(at now: Instant) -> Command {
        guard state == .queued || state == .sent, let expiresAt, expiresAt <= now else { return self }
        return Command(
            id: id, kind: kind, state: .expired, createdAt: createdAt, expiresAt: expiresAt, version: version + 1
        )
    }
}
