import Kernel
import Notifications
import Storage

/// Notifications about messages, in the transaction of the change.
struct MessageNotifier: Sendable {
    enum Event: String {
        case written
        /// Owner or carrier opened a dispute: administrators can read the messages.
        case opened
        /// A person reported a message to the administrators.
        case reported
    }

    static func path(_ package: ID<Package>) -> String { CarrepsaEvents.path(package) + "/messages" }
    static let reports = "/carrepsa/message-reports"

    /// Notifies the other person of a message.
    func notify(
        of message: PackageMessage, in package: StoredPackage, to person: PersonID, now: Instant, in tx: Transaction
    ) throws {
        var details = ["event": Event.written.rawValue]
        details["quote"] = message.text.map { String($0.prefix(Limits.messageQuoteCharacters)) }
        details["content"] = message.pictureID != nil ? "picture" : message.place != nil ? "place" : "text"
        try Notice(
            id: ID(about: [Event.written.rawValue, message.id.description, person.description], at: now),
            person: person, kind: .packageMessage, resource: Self.path(package.id), subject: package.title,
            details: details, people: ["who": try message.author.flatMap { try PeopleStore.named($0, in: tx) }], at: now
        ).post(in: tx)
    }

    /// Withdraws the notifications that quote a person's messages.
    func withdraw(messagesOf author: PersonID, now: Instant, in tx: Transaction) throws {
        for (package, reader) in try MessageStore.readers(of: author, in: tx) {
            guard let reader else { continue }
            try Notice.withdraw(about: Self.path(package), from: reader, at: now, in: tx)
        }
    }

    /// Notifies owner and carrier that administrators can read their messages.
    func notify(ofDisputeAbout package: StoredPackage, now: Instant, in tx: Transaction) throws {
        guard package.isOpenToAdministrators, let carrier = package.carrier, let owner = package.owner,
            try ConversationStore.find(package.id, carrier: carrier, in: tx) != nil
        else { return }
        for person in [owner, carrier] {
            try Notice(
                id: ID(
                    about: [
                        Event.opened.rawValue, package.id.description, String(package.version), person.description,
                    ], at: now),
                // Not the kind and the path of messages: muting or reading those must not hide it.
                person: person, kind: .packageDisputed, resource: CarrepsaEvents.path(package.id),
                subject: package.title, details: ["event": Event.opened.rawValue], at: now
            ).post(in: tx)
        }
    }

    /// Notifies the administrators who are no party of the conversation of a reported message.
    func notifyAdministrators(
        of report: ID<MessageReport>, about title: String, except people: [PersonID?], now: Instant,
        in tx: Transaction
    ) throws {
        for administrator in try PeopleStore.operators(in: tx) where !people.contains(administrator) {
            try Notice(
                id: ID(about: [Event.reported.rawValue, report.description, administrator.description], at: now),
                person: administrator, kind: .packageDisputed, resource: Self.reports, subject: title,
                details: ["event": Event.reported.rawValue], at: now
            ).post(in: tx)
        }
    }
}

extension CarrepsaEvents {
    /// The event for a new message, or one that was read.
    static func message(in package: ID<Package>, to person: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "message", resource: MessageNotifier.path(package), version: 0, at: now)
    }
}
