import Kernel

/// A stored position of a phone.
struct PhoneFix: Sendable, Equatable {
    let at: Instant
    let coordinate: Coordinate
    /// Which phone it is; `nil` where that doesn't matter.
    var origin: DistanceOrigin?
}

/// The distance between phone and item, and the verdict that follows from it.
enum Separation {
    /// The maximum age of the requesting session's own position.
    static let ownPositionSeconds: Double = 10 * 60
    /// The maximum age of the position of any phone of the account.
    static let anyPositionSeconds: Int64 = 24 * 60 * 60

    /// The position to measure from: the requesting session's own while it is fresh, otherwise the account's newest.
    static func phone(own: PhoneFix?, freshest: PhoneFix?, now: Instant) -> PhoneFix? {
        if let own, now.seconds(since: own.at) <= ownPositionSeconds { return own }
        guard let freshest, now.seconds(since: freshest.at) <= Double(anyPositionSeconds) else { return nil }
        return freshest
    }

    /// A strict comparison: a distance equal to the limit is not farther. Distances are rounded to the millimetre,
    /// which is finer than any position and coarser than the formula's rounding error.
    static func isFarther(_ distanceMetres: Double, thanMetres limit: Int) -> Bool {
        toMillimetre(distanceMetres) > Double(limit)
    }

    static func toMillimetre(_ metres: Double) -> Double { (metres * 1_000).rounded() / 1_000 }

    struct Verdict: Equatable {
        let distanceMetres: Double?
        let lost: Bool
        let unknownReason: DistanceUnknown?
    }

    static func verdict(lastFix: Coordinate?, hasTracker: Bool, phone: Coordinate?, lostMetres: Int) -> Verdict {
        guard let lastFix else {
            return Verdict(distanceMetres: nil, lost: false, unknownReason: hasTracker ? .noFix : .noTracker)
        }
        guard let phone else { return Verdict(distanceMetres: nil, lost: false, unknownReason: .noPhonePosition) }
        let distanceMetres = toMillimetre(phone.distanceMetres(to: lastFix))
        let lost = isFarther(distanceMetres, thanMetres: lostMetres)
        return Verdict(distanceMetres: distanceMetres, lost: lost, unknownReason: nil)
    }
}
