import Accounts
import Kernel
import Storage

/// What a person may read and write of the conversations about a package.
///
/// The owner and the present carrier write to each other. A former carrier reads their own earlier messages and nothing
/// that comes later; the next carrier starts an empty conversation. An administrator who never was owner or carrier
/// reads the present conversation while a dispute is open that owner or carrier opened.
struct ConversationAccess: Sendable {
    let package: StoredPackage
    let role: PackageRole
    /// The conversation; `nil` before the first message.
    let conversation: Conversation?
    /// The carrier of the conversation; `nil` if the account was deleted.
    let carrier: PersonID?
    let obstacle: ConversationObstacle?

    /// - Throws: `AppError.notFound` if the person may read no conversation about the package.
    init(_ package: StoredPackage, for actor: Actor, now: Instant, in tx: Transaction) throws {
        self.package = package
        let person = actor.person
        let isOperator: Bool
        switch package.role(of: person) {
        case .owner:
            let current = try package.carrier.flatMap { try ConversationStore.find(package.id, carrier: $0, in: tx) }
            conversation = try package.carrier == nil ? ConversationStore.newest(package.id, in: tx) : current
            (role, carrier, isOperator) = (.owner, package.carrier ?? conversation?.carrier, false)
        case .carrier:
            conversation = try ConversationStore.find(package.id, carrier: person, in: tx)
            (role, carrier, isOperator) = (.carrier, person, false)
        default:
            if let own = try ConversationStore.find(package.id, carrier: person, in: tx) {
                (conversation, role, carrier, isOperator) = (own, .stranger, person, false)
            } else if package.isOpenToAdministrators, let other = package.carrier,
                try AdministratorPolicy.isAdministrator(actor, in: tx),
                try DisputeStore.isImpartial(person, package, in: tx)
            {
                conversation = try ConversationStore.find(package.id, carrier: other, in: tx)
                (role, carrier, isOperator) = (.operator, other, true)
            } else {
                throw AppError.notFound
            }
        }
        // Before the first acceptance there is no other person. A withdrawn package has no carrier, but owner and
        // carrier of an earlier conversation still read and report its messages.
        guard conversation != nil || package.carrier != nil else { throw AppError.notFound }
        if isOperator {
            obstacle = .administrator
        } else if role == .stranger || package.carrier == nil || package.owner == nil || package.isOverdue(now) {
            obstacle = .ended
        } else if !package.isConversationOpen(now) {
            obstacle = .closed
        } else if let carrier, let owner = package.owner, try BlockStore.isEither(owner, carrier, in: tx) {
            obstacle = .blocked
        } else {
            obstacle = nil
        }
    }

    /// The other person; `nil` for an administrator and for a deleted account.
    var other: PersonID? {
        switch role {
        case .owner: carrier
        case .carrier, .stranger: package.owner
        default: nil
        }
    }

    /// The side of the conversation on which the person reads and writes; `nil` for an administrator.
    var side: PackageRole? {
        switch role {
        case .owner: .owner
        case .carrier, .stranger: .carrier
        default: nil
        }
    }
}

extension StoredPackage {
    /// Whether administrators can read the conversation: owner or carrier asked for their decision, and it is pending.
    /// A dispute that the clock opened doesn't open it.
    var isOpenToAdministrators: Bool {
        state == .travelling && (disputedBy == .owner || disputedBy == .carrier)
    }

    /// When the conversation of an ended delivery closes; `nil` while it is under way.
    var conversationClosesAt: Instant? { finishedAt?.adding(seconds: Limits.conversationOpenSeconds) }

    /// Whether the carrier may still have the package of a cancelled delivery, while owner and carrier can write to
    /// each other about its way back.
    func isComingBack(_ now: Instant) -> Bool {
        state == .cancelled && pickedUpAt != nil && dispute?.decision?.outcome != .lost && isConversationOpen(now)
    }

    /// Whether the present parties can write to each other.
    func isConversationOpen(_ now: Instant) -> Bool {
        guard carrier != nil else { return false }
        if state.isUnderWay { return true }
        return conversationClosesAt.map { now < $0 } ?? false
    }
}
