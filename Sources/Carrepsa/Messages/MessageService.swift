package import Accounts
package import Kernel
import Ledger
import Notifications
import Pictures
import Storage

/// `/carrepsa/packages/{id}/messages`: owner and carrier write to each other about a package.
package struct MessageService: Sendable {
    let database: Database
    let memberships: MembershipService
    let deadlines: PackageDeadlines
    let ledger: Ledger
    let clock: any WallClock
    let random: any RandomSource

    private static let throttle = Throttle(
        scope: "package message", limit: Limits.messagesAtOnce, windowSeconds: Limits.messageThrottleSeconds)

    private var notifier: MessageNotifier { MessageNotifier() }

    // MARK: Reading

    /// Returns the actor's conversation about a package, with a page of messages.
    /// - Parameter after: the number of the last message of the page before.
    /// - Throws: `AppError`: `notFound` if the actor may read no conversation about it; `invalid` at `after`.
    package func conversation(
        about id: ID<Package>, for actor: Actor, after: String? = nil, limit: Int = Limits.messagesShown
    ) async throws -> PackageConversation {
        let request = try PageRequest<Int64>(after: after, limit: limit) { Int64($0).flatMap { $0 > 0 ? $0 : nil } }
        return try await deadlines.read { tx, now in
            guard let package = try PackageStore.find(id, in: tx) else { throw AppError.notFound }
            let access = try ConversationAccess(package, for: actor, now: now, in: tx)
            let messages = try access.conversation.map {
                try MessageStore.page(of: $0.id, before: request.after, limit: request.rows, in: tx)
            }
            return try Self.conversation(access, request.page(messages ?? [], \.number), for: actor, in: tx)
        }
    }

    private static func conversation(
        _ access: ConversationAccess, _ page: ListPage<PackageMessage>, for actor: Actor, in tx: Transaction
    ) throws -> PackageConversation {
        let package = access.package
        func party(_ person: PersonID?) throws -> Party {
            Party(id: person, name: try person.flatMap { try PeopleStore.name(of: $0, in: tx) })
        }
        var phone: String?
        if package.state.isUnderWay, access.role == .owner || access.role == .carrier, let other = access.other {
            phone = try PeopleStore.contact(other, in: tx)?.phone
        }
        let side = access.side ?? .owner
        return PackageConversation(
            package: package.id, title: package.title, role: access.role, owner: try party(package.owner),
            carrier: try party(access.carrier), obstacle: access.obstacle, closesAt: package.conversationClosesAt,
            isWithdrawn: package.withdrawnAt != nil,
            isOpenToAdministrators: package.isOpenToAdministrators && access.role != .stranger,
            hasBlocked: try access.other.map { try BlockStore.contains($0, of: actor.person, in: tx) } ?? false,
            isDeliveryUnderWay: try access.other.map {
                try PackageStore.arePartiesOfSamePackage(actor.person, $0, in: tx)
            } ?? false,
            phone: phone, read: access.conversation?.read(by: side) ?? 0,
            readByOther: access.conversation?.read(by: side == .owner ? .carrier : .owner) ?? 0, messages: page)
    }

    /// Returns the number of messages that owner or carrier hasn't read, and the other person's phone number, for the
    /// page of a package; `nil` for other people and without a carrier.
    static func contact(
        about package: StoredPackage, for person: PersonID, now: Instant, in tx: Transaction
    ) throws -> PackageContact? {
        let role = package.role(of: person)
        guard role == .owner || role == .carrier, let carrier = package.carrier else { return nil }
        let conversation = try ConversationStore.find(package.id, carrier: carrier, in: tx)
        let other = role == .owner ? carrier : package.owner
        let isBlocked = try package.owner.map { try BlockStore.isEither($0, carrier, in: tx) } ?? false
        let isReturning = package.isComingBack(now) && !isBlocked
        let phone =
            try package.state.isUnderWay || isReturning
            ? other.flatMap { try PeopleStore.contact($0, in: tx)?.phone } : nil
        return PackageContact(
            phone: phone, isBlocked: isBlocked, messages: conversation?.messages ?? 0,
            unread: conversation.map { max(0, $0.messages - $0.read(by: role)) } ?? 0,
            closesAt: package.conversationClosesAt)
    }

    // MARK: Writing

    /// Checks whether the actor may write, before an uploaded picture is stored.
    /// - Throws: the errors of ``send(_:about:by:)`` except `throttled`.
    package func requireOpen(_ id: ID<Package>, for actor: Actor) async throws {
        let now = clock.now
        try await database.read { tx in
            guard let package = try PackageStore.find(id, in: tx) else { throw AppError.notFound }
            try Self.requireOpen(ConversationAccess(package, for: actor, now: now, in: tx))
        }
    }

    /// Sends a message to the other person.
    /// - Throws: `AppError`: `notFound`; `conflict` if the conversation is closed or full; `forbidden` if one of the
    ///   two blocked the other, and for administrators; `invalid` at `text` and `pictureId`; `throttled`.
    package func send(
        _ input: PackageMessageInput, about id: ID<Package>, by change: Change
    ) async throws -> PackageMessage {
        let now = clock.now
        let message = ID<PackageMessage>(at: now, random: random)
        let conversation = ID<Conversation>(at: now, random: random)
        let salt = random.bytes(Limits.recordSaltBytes)
        return try await database.write { [ledger, notifier] tx in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: message.description) {
                let text = try input.validated()
                // Locked, so that a message and the end of the carrier's access follow one after the other.
                guard let package = try PackageStore.lock(id, in: tx) else { throw AppError.notFound }
                let access = try ConversationAccess(package, for: change.actor, now: now, in: tx)
                try Self.requireOpen(access)
                try Self.throttle.count(change.actor.person.description, .messagesThrottled, now: now, in: tx)
                if let picture = input.pictureID {
                    try PictureLibrary.requireOwned(picture, by: change.actor.person, in: tx)
                }
                let writer = MessageWriter(ledger: ledger)
                let stored = try writer.write(
                    message, text, input, access, by: change.actor.person, new: conversation, salt: salt, now: now,
                    in: tx)
                guard let other = access.other else { throw AppError.notFound }
                try notifier.notify(of: stored.message, in: package, to: other, now: now, in: tx)
                for person in [other, change.actor.person] {
                    try tx.publish(CarrepsaEvents.message(in: id, to: person, now: now))
                }
            }
            guard let sent = ID<PackageMessage>(once.resource), let stored = try MessageStore.one(sent, in: tx) else {
                throw AppError.notFound
            }
            return stored.message
        }
    }

    /// Records that the actor has read the messages up to a number, and withdraws their notifications.
    /// - Throws: `AppError.notFound` if the actor may read no conversation about the package.
    package func markRead(_ id: ID<Package>, upTo number: Int64, by actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in
            guard let package = try PackageStore.find(id, in: tx) else { throw AppError.notFound }
            let access = try ConversationAccess(package, for: actor, now: now, in: tx)
            guard let side = access.side, let conversation = access.conversation else { return }
            guard
                try ConversationStore.setRead(
                    min(number, conversation.messages), by: side, in: conversation.id, in: tx)
            else { return }
            try Notice.withdraw(about: MessageNotifier.path(id), from: actor.person, at: now, in: tx)
            for person in [access.other, actor.person].compactMap(\.self) {
                try tx.publish(CarrepsaEvents.message(in: id, to: person, now: now))
            }
        }
    }

    private static func requireOpen(_ access: ConversationAccess) throws {
        switch access.obstacle {
        case nil: break
        case .closed: throw AppError(.conflict, .conversationClosed)
        case .ended: throw AppError(.conflict, .conversationEnded)
        case .blocked: throw AppError(.forbidden, .conversationBlocked)
        case .administrator: throw AppError(.forbidden, .roleMayNot)
        }
        guard access.conversation.map({ $0.messages < Limits.conversationMessages }) ?? true else {
            throw AppError(.conflict, .conversationFull)
        }
    }
}

/// Appends messages to a conversation.
struct MessageWriter: Sendable {
    let ledger: Ledger

    /// Stores a message and seals it. Lock the package first.
    func write(
        _ id: ID<PackageMessage>, _ text: String?, _ input: PackageMessageInput, _ access: ConversationAccess,
        by author: PersonID, new: ID<Conversation>, salt: [UInt8], now: Instant, in tx: Transaction
    ) throws -> StoredMessage {
        guard let carrier = access.carrier, let side = access.side else { throw AppError.notFound }
        let conversation =
            access.conversation
            ?? Conversation(
                id: new, package: access.package.id, carrier: carrier, messages: 0, ownerRead: 0, carrierRead: 0)
        if access.conversation == nil { try ConversationStore.insert(conversation, in: tx) }
        let number = conversation.messages + 1
        let content = MessageEvidence.content(
            salt, text: text, picture: input.pictureID?.description,
            pictureDigest: try input.pictureID.flatMap { try MessageStore.pictureDigest($0, in: tx) },
            latitudeMicro: input.place?.latitudeMicro, longitudeMicro: input.place?.longitudeMicro)
        let stored = StoredMessage(
            message: PackageMessage(
                id: id, number: number, role: side, author: author, at: now, text: text, pictureID: input.pictureID,
                place: input.place),
            package: access.package.id, conversation: conversation.id, salt: salt,
            digest: SHA256Text.digest(of: content))
        try MessageStore.insert(stored, in: tx)
        try ConversationStore.setCount(number, of: conversation.id, in: tx)
        // The author has read what came before.
        _ = try ConversationStore.setRead(number, by: side, in: conversation.id, in: tx)
        try EvidenceLedger(ledger: ledger).seal(MessageEvidence.record(stored), now: now, in: tx)
        return stored
    }
}
