import Kernel
import Ledger
import Pictures

/// A request to perform an action on a package, with the time and the ids, which are generated outside the
/// transaction.
struct PackageCommand: Sendable {
    enum Initiator: Sendable {
        case person(PersonID)
        case clock
        /// The recipient, by the secret of their page.
        case recipient

        var person: PersonID? {
            if case .person(let id) = self { id } else { nil }
        }
    }

    /// The code that proves a handover.
    struct Proof: Sendable {
        let step: HandoverStep
        /// `nil` if no code was entered.
        let code: String?
    }

    /// A photo of a handover.
    struct Photo: Sendable {
        let picture: ID<Picture>
        /// The SHA-256 of its file in hexadecimal digits.
        let digest: String
    }

    let package: ID<Package>
    let action: PackageAction
    let initiator: Initiator
    var note: String?
    /// What a new dispute is about.
    var disputeKind: DisputeKind?
    /// The division of the money, if the action states one.
    var split: MoneySplit?
    /// The SHA-256, in hexadecimal digits, of what the entry in the history proves.
    var digest: String?
    var proof: Proof?
    /// The new terms, for ``PackageAction/edit``.
    var terms: PackageDraft?
    var photo: Photo?
    /// The version that the actor read; `nil` accepts any version.
    var ifVersion: Int64?
    /// Whether a command without ``ifVersion`` is refused.
    var needsVersion = false
    let now: Instant
    let transfer: ID<Transfer>
    /// The id of the refund that precedes the action if the acceptance has expired without a record of it.
    let refund: ID<Transfer>
    /// The id of the transfer of a decision that the action makes effective.
    let settlement: ID<Transfer>

    init(
        _ action: PackageAction, on package: ID<Package>, by initiator: Initiator, now: Instant,
        random: any RandomSource
    ) {
        self.action = action
        self.package = package
        self.initiator = initiator
        self.now = now
        transfer = ID(at: now, random: random)
        refund = ID(at: now, random: random)
        settlement = ID(at: now, random: random)
    }

    /// Creates the clock's command that precedes or follows a person's.
    init(_ action: PackageAction, following command: PackageCommand) {
        self.action = action
        package = command.package
        initiator = .clock
        now = command.now
        transfer = command.transfer
        refund = command.refund
        settlement = command.settlement
    }

    /// Returns the digest of the entry in the history; `nil` if the ledger doesn't seal it.
    func historyDigest(of transition: Transition) -> String? {
        photo?.digest ?? digest ?? (transition.action.isSealed ? SHA256Text.digest(of: note ?? "") : nil)
    }
}
