package import Accounts
package import Kernel
import Storage

/// Functions for handover codes.
enum Handover {
    static let purpose = "carrepsa handover code"

    /// Returns the entered code without spaces and hyphens; `nil` if nothing is left.
    static func typed(_ code: String?) -> String? {
        guard let code else { return nil }
        let kept = code.filter { !$0.isWhitespace && $0 != "-" }
        return kept.isEmpty ? nil : kept
    }

    static func make(random: any RandomSource) -> String {
        let bound = (0..<Limits.handoverCodeDigits).reduce(UInt64(1)) { bound, _ in bound * 10 }
        // The bias of the remainder is negligible: 2^64 is far larger than the number of codes.
        let digits = String(random.uint64() % bound)
        return String(repeating: "0", count: Limits.handoverCodeDigits - digits.utf8.count) + digits
    }

    static func message(_ code: String, package: ID<Package>, step: HandoverStep, side: PackageRole) -> [UInt8] {
        Array("\(package) \(step.rawValue) \(side.rawValue) \(code)".utf8)
    }

    static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension CarrepsaService {
    /// Creates the code that the other party enters to prove the handover. It invalidates the actor's previous code
    /// and is valid for ``Limits/handoverCodeSeconds``, as long as the handover is due.
    /// - Throws: `AppError`: `notFound`; `forbidden` if the actor may see the package but isn't a party; `conflict`
    ///   if this handover isn't due.
    package func handoverCode(_ id: ID<Package>, step: HandoverStep, by actor: Actor) async throws -> HandoverCode {
        try await enter(actor)
        let now = clock.now
        let code = Handover.make(random: random)
        let expiry = now.adding(seconds: Limits.handoverCodeSeconds)
        try await database.write { [self] tx in
            guard let package = try PackageStore.lock(id, in: tx) else { throw AppError.notFound }
            let side = package.role(of: actor.person)
            guard package.isVisible(to: side, isOperator: false) else { throw AppError.notFound }
            guard Self.isAhead(step, of: package, now: now) else { throw AppError(.conflict, .noHandover) }
            guard side == .owner || side == .carrier else { throw AppError(.forbidden, .roleMayNot) }
            let mark = secrets.mark(
                Handover.message(code, package: id, step: step, side: side), purpose: Handover.purpose
            )
            try HandoverStore.put(mark, package: id, step: step, side: side, expiresAt: expiry, in: tx)
        }
        return HandoverCode(code: code, step: step, expiresAt: expiry)
    }

    private static func isAhead(_ step: HandoverStep, of package: StoredPackage, now: Instant) -> Bool {
        switch step {
        case .pickup: package.state == .accepted && !package.isPastDeadline(now)
        case .delivery: package.state == .travelling
        }
    }

    /// Checks an entered code and counts a wrong one. Returns `true` if the handover isn't due: then a code proves
    /// nothing, and the transition table gives the error.
    /// - Throws: `AppError(.throttled)`.
    func isProven(_ proof: PackageCommand.Proof, by command: PackageCommand, in tx: Transaction) throws -> Bool {
        guard let code = proof.code, let person = command.initiator.person else { return true }
        guard let package = try PackageStore.lock(command.package, in: tx) else { return true }
        let role = package.role(of: person)
        guard role == .owner || role == .carrier, Self.isAhead(proof.step, of: package, now: command.now) else {
            return true
        }
        let other: PackageRole = role == .owner ? .carrier : .owner
        let key = "\(package.id) \(person)"
        do {
            try codeThrottle.check(key, now: command.now, in: tx)
        } catch let error as AppError where error.code == .throttled {
            throw AppError(
                .throttled, CarrepsaMessage.codeThrottled.rawValue, retryAfterSeconds: error.retryAfterSeconds
            )
        }
        let kept = try HandoverStore.mark(package: package.id, step: proof.step, side: other, now: command.now, in: tx)
        let typed = secrets.mark(
            Handover.message(code, package: package.id, step: proof.step, side: other), purpose: Handover.purpose
        )
        if let kept, Handover.isSame(kept, typed) {
            try codeThrottle.reset(key, in: tx)
            return true
        }
        try codeThrottle.fail(key, now: command.now, in: tx)
        return false
    }
}
