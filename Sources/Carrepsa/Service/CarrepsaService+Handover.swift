package import Accounts
package import Kernel
import Storage

/// What is typed, shown and kept of handover codes.
enum Handover {
    static let purpose = "carrepsa handover code"

    /// What was typed, without the blanks and hyphens that people put in; `nil` for nothing.
    static func typed(_ code: String?) -> String? {
        guard let code else { return nil }
        let kept = code.filter { !$0.isWhitespace && $0 != "-" }
        return kept.isEmpty ? nil : kept
    }

    static func make(random: any RandomSource) -> String {
        let bound = (0..<Limits.handoverCodeDigits).reduce(UInt64(1)) { bound, _ in bound * 10 }
        // Of 2^64, what is beyond the last whole multiple is too little to matter.
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
    /// Makes the code by which the asker's side of a handover can be proven by the other one. It voids the side's
    /// earlier one. Good while the parcel waits for that handover, for ``Limits/handoverCodeSeconds``.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a stranger who sees the package; `conflict` when there is
    ///   nothing of the kind to hand over now.
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

    /// Looks at a typed code, and counts a wrong one. Where the handover isn't ahead any more there is nothing to
    /// guess, and the table says what holds.
    /// - Throws: `AppError(.throttled)`.
    func isProven(_ proof: Move.Proof, by move: Move, in tx: Transaction) throws -> Bool {
        guard let code = proof.code, let person = move.asker.person else { return true }
        guard let package = try PackageStore.lock(move.package, in: tx) else { return true }
        let role = package.role(of: person)
        guard role == .owner || role == .carrier, Self.isAhead(proof.step, of: package, now: move.now) else {
            return true
        }
        let other: PackageRole = role == .owner ? .carrier : .owner
        let key = "\(package.id) \(person)"
        do {
            try codeThrottle.check(key, now: move.now, in: tx)
        } catch let error as AppError where error.code == .throttled {
            throw AppError(
                .throttled, CarrepsaMessage.codeThrottled.rawValue, retryAfterSeconds: error.retryAfterSeconds
            )
        }
        let kept = try HandoverStore.mark(package: package.id, step: proof.step, side: other, now: move.now, in: tx)
        let typed = secrets.mark(
            Handover.message(code, package: package.id, step: proof.step, side: other), purpose: Handover.purpose
        )
        if let kept, Handover.isSame(kept, typed) {
            try codeThrottle.reset(key, in: tx)
            return true
        }
        try codeThrottle.fail(key, now: move.now, in: tx)
        return false
    }
}
