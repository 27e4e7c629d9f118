import Kernel

/// A phone's position that the store knows of.
struct KnownPosition: Sendable, Equatable {
    let at: Instant
    let coordinate: Coordinate
}

/// How far apart phone and item are, and what follows from it.
enum Separation {
    /// The asking session's own position counts up to this age.
    static let ownPositionSeconds: Double = 10 * 60
    /// Any phone of the account counts up to this age.
    static let anyPositionSeconds: Int64 = 24 * 60 * 60

    /// The position to measure from: the asking session's own while it is fresh, else the account's freshest.
    static func phone(own: KnownPosition?, freshest: KnownPosition?, now: Instant) -> KnownPosition? {
        if let own, now.seconds(since: own.at) <= ownPositionSeconds { return own }
        guard let freshest, now.seconds(since: freshest.at) <= Double(anyPositionSeconds) else { return nil }
        return freshest
    }

    /// Strict: exactly the limit is not farther. To the millimetre, which is finer than any position and coarser than
    /// what the formula's rounding adds.
    static func isFarther(_ distanceMetres: Double, thanMetres limit: Int) -> Bool {
        toMillimetre(distanceMetres) > Double(limit)
    }

    private static func toMillimetre(_ metres: Double) -> Double { (metres * 1_000).rounded() / 1_000 }

    /// The verdict on one item.
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
