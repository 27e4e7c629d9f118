package import Accounts
package import Kernel
import Storage

/// `…/commands`: commands to an item's tracker.
package struct CommandService: Sendable {
    let database: Database
    let switches: SwitchRecorder
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of the commands for an item's tracker, newest first.
    /// - Throws: `AppError`: `notFound`; `invalid` at `after` for an unknown cursor.
    package func list(
        of id: ID<Item>, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<Command> {
        let request = try PageRequest<ID<Command>>(after: after, limit: limit)
        let now = clock.now
        let commands = try await database.read { tx in
            guard try ItemStore.item(id, of: actor.person, in: tx) != nil else { throw AppError.notFound }
            return try CommandStore.page(of: id, after: request.after, limit: request.rows, now: now, in: tx)
        }
        return request.page(commands, \.id)
    }

    /// Queues a command for the item's tracker, which gets it at its next contact.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access for the command; `invalid` at `kind` for a
    ///   command that is reserved for the server; `conflict` without a tracker, for a tracker that doesn't support the
    ///   command, or for *locate* while the tracker is off.
    package func create(_ id: ID<Item>, kind: CommandKind, by change: Change) async throws -> Command {
        let now = clock.now
        let person = change.actor.person
        let commandID = ID<Command>(at: now, random: random)
        return try await database.write { tx in
            let once = try tx.once(change.idempotency, status: 202, now: now, resource: commandID.description) {
                let tracker = try TrackerStore.lock(item: id, in: tx)
                let item = try ItemStore.lock(id, of: person, requires: kind.requiredAccess, in: tx)
                try ItemVersion.requireCurrent(item, for: change)
                guard CommandKind.forOwners.contains(kind) else {
                    throw AppError(.invalid, .commandUnknown, field: "kind")
                }
                let lapse = now.adding(seconds: Silence.seconds(locateMinutes: item.settings.locateMinutes))
                let command = Command(
                    id: commandID, kind: kind, state: .queued, createdAt: now, expiresAt: lapse, version: 1
                )
                if let tracker {
                    try queue(command, to: tracker, of: item, in: tx)
                } else if let source = try SourceStore.source(item: id, in: tx) {
                    try queue(command, to: source, of: item, in: tx)
                } else {
                    throw AppError(.conflict, .noTracker)
                }
            }
            guard let queued = ID<Command>(once.resource),
                let command = try CommandStore.command(queued, now: now, in: tx)
            else { throw AppError.notFound }
            return command
        }
    }

    private func queue(_ command: Command, to tracker: StoredTracker, of item: Item, in tx: Transaction) throws {
        var tracker = tracker
        tracker.lapse(at: command.createdAt)
        if command.kind == .locate, tracker.wanted == .off { throw AppError(.conflict, .turnedOff) }
        try CommandStore.queue(command, to: .tracker(tracker), item: item.id, in: tx)
        if command.kind.isSwitch {
            let before = tracker
            tracker.wanted = command.kind == .off ? .off : .on
            tracker.await(since: command.createdAt, locateMinutes: item.settings.locateMinutes)
            tracker.schedulePoll(locateMinutes: item.settings.locateMinutes, now: command.createdAt)
            try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
            try switches.record(of: item, from: before, to: tracker, now: command.createdAt, in: tx)
        }
        try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: command.createdAt, in: tx)
    }

    private func queue(_ command: Command, to source: Source, of item: Item, in tx: Transaction) throws {
        guard source.kind == .owntracks, command.kind == .locate else { throw AppError(.conflict, .appCannot) }
        try CommandStore.queue(command, to: .source(source.id), item: item.id, in: tx)
        try FixStore.setHasWaitingCommands(true, of: item.id, in: tx)
        try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: command.createdAt, in: tx)
    }
}

extension CommandKind {
    /// The access to the item that the command needs.
    fileprivate var requiredAccess: ItemAccess {
        switch self {
        case .locate, .ring: .locate
        case .on, .off, .activate, .release: .manage
        }
    }
}
