import Accounts
import Kernel
import Notifications
import Storage

/// Mails to the recipient of a package, in the transaction of the change.
struct RecipientNotifier: Sendable {
    let mails: DeliveryMails
    let link: RecipientLink

    /// Enqueues the mail about a transition, if the recipient has an email address and an open page.
    func notify(
        of event: PackageEvent, _ package: StoredPackage, by actor: PersonID?, now: Instant, in tx: Transaction
    ) throws {
        guard package.hasRecipient, let notice = DeliveryNotice(event) else { return }
        try send(notice, package, by: actor, now: now, in: tx)
    }

    func send(
        _ notice: DeliveryNotice, _ package: StoredPackage, by actor: PersonID?, now: Instant, in tx: Transaction
    ) throws {
        guard let linked = try RecipientStore.linked(of: package.id, in: tx), let email = linked.recipient.email,
            let sealed = linked.sealedSecret
        else { return }
        let language = try package.owner.flatMap { try PeopleStore.language(of: $0, in: tx) }
        try mails.enqueue(
            notice, path: RecipientLink.path(try link.open(sealed)), to: email, language: language, by: actor, now: now,
            in: tx)
    }
}

extension DeliveryNotice {
    /// The mail about an event of the life cycle; `nil` if the recipient isn't notified of it.
    init?(_ event: PackageEvent) {
        switch event {
        case .accepted: self = .accepted
        case .acceptanceCancelled, .pickupLapsed: self = .waiting
        case .pickedUp: self = .pickedUp
        case .deliveryReported: self = .reported
        case .deliveredToOwner, .decidedDeliveredForOwner: self = .delivered
        case .cancellationAgreed, .decidedRefunded, .decidedLostForOwner: self = .cancelled
        default: return nil
        }
    }
}
