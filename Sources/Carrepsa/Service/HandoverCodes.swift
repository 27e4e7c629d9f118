import Accounts
import Kernel
import Storage

/// The codes by which owner or carrier proves to the other that a handover happened. The database has only keyed
/// hashes.
struct HandoverCodes: Sendable {
    static let purpose = "carrepsa handover code"

    let secrets: SecretBox
    private let recipientLink: RecipientLink

    private let throttle = Throttle(
        scope: "handover-code", limit: Limits.handoverFailures, windowSeconds: Limits.handoverThrottleSeconds
    )

    init(secrets: SecretBox) {
        self.secrets = secrets
        recipientLink = RecipientLink(secrets: secrets)
    }

    static func randomCode(_ random: any RandomSource) -> String {
        let bound = (0..<Limits.handoverCodeDigits).reduce(UInt64(1)) { bound, _ in bound * 10 }
        // The bias of the remainder is negligible: 2^64 is far larger than the number of codes.
        let digits = String(random.uint64() % bound)
        return String(repeating: "0", count: Limits.handoverCodeDigits - digits.utf8.count) + digits
    }

    /// Returns the entered code without spaces and hyphens; `nil` if nothing is left.
    static func normalized(_ code: String?) -> String? {
        guard let code else { return nil }
        let kept = code.filter { !$0.isWhitespace && $0 != "-" }
        return kept.isEmpty ? nil : kept
    }

    /// Stores the code of owner or carrier, which replaces the previous one.
    /// - Throws: `AppError`: `notFound`, `conflict` if the handover isn't due, `forbidden` if the person isn't owner or
    ///   carrier.
    func store(
        _ code: String, package id: ID<Package>, step: HandoverStep, by person: PersonID, expiresAt: Instant,
        now: Instant, in tx: Transaction
    ) throws {
        guard let package = try PackageStore.lock(id, in: tx) else { throw AppError.notFound }
        let side = package.role(of: person)
        guard package.isVisible(to: side, isOperator: false) else { throw AppError.notFound }
        guard package.isDue(step, now: now) else { throw AppError(.conflict, .noHandover) }
        guard side == .owner || side == .carrier else { throw AppError(.forbidden, .roleMayNot) }
        let hash = hash(code, package: id, step: step, side: side)
        try HandoverStore.upsert(hash, package: id, step: step, side: side, expiresAt: expiresAt, in: tx)
    }

    /// Checks an entered code and counts a wrong one. Returns `true` if the handover isn't due: then a code proves
    /// nothing, and the transition table gives the error.
    /// - Throws: `AppError(.throttled)`.
    func verify(_ proof: PackageCommand.Proof, of command: PackageCommand, in tx: Transaction) throws -> Bool {
        guard let code = proof.code, let person = command.initiator.person else { return true }
        guard let package = try PackageStore.lock(command.package, in: tx) else { return true }
        let role = package.role(of: person)
        guard role == .owner || role == .carrier, package.isDue(proof.step, now: command.now) else { return true }
        let other: PackageRole = role == .owner ? .carrier : .owner
        let key = "\(package.id) \(person)"
        try throttle.check(key, .codeThrottled, now: command.now, in: tx)
        let stored = try HandoverStore.mark(
            package: package.id, step: proof.step, side: other, now: command.now, in: tx)
        let entered = hash(code, package: package.id, step: proof.step, side: other)
        let isRight = stored.map { ConstantTime.isEqual($0, entered) } ?? false
        if try isRight || isRecipientCode(code, proof.step, by: role, package, in: tx) {
            try throttle.reset(key, in: tx)
            return true
        }
        try throttle.fail(key, now: command.now, in: tx)
        return false
    }

    /// Whether the carrier entered the recipient's delivery code.
    private func isRecipientCode(
        _ code: String, _ step: HandoverStep, by role: PackageRole, _ package: StoredPackage, in tx: Transaction
    ) throws -> Bool {
        guard step == .delivery, role == .carrier, package.hasRecipient,
            let hash = try RecipientStore.linked(of: package.id, in: tx)?.hash
        else { return false }
        return ConstantTime.isEqual(
            Array(recipientLink.code(of: package.id, hash: hash).utf8), Array(code.utf8))
    }

    private func hash(_ code: String, package: ID<Package>, step: HandoverStep, side: PackageRole) -> [UInt8] {
        let message = Array("\(package) \(step.rawValue) \(side.rawValue) \(code)".utf8)
        return secrets.mark(message, purpose: Self.purpose)
    }
}

extension StoredPackage {
    /// Whether the handover can happen now.
    fileprivate func isDue(_ step: HandoverStep, now: Instant) -> Bool {
        switch step {
        case .pickup: state == .accepted && !isPastDeadline(now)
        case .delivery: state == .travelling
        }
    }
}
