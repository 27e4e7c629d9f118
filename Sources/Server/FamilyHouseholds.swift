import Family
import FamilyWeb
import Kernel
import Storage
import Tracking

/// Reads the people of households for the sharing of items and positions: Tracking doesn't know Family.
struct FamilyHouseholds: HouseholdPeopleReader {
    func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        try FamilyServices.parents(with: person, in: tx).map { HouseholdPerson(id: $0.id, name: $0.name) }
    }

    func timeZone(of person: PersonID, in tx: Transaction) throws -> String? {
        try FamilyServices.timeZone(of: person, in: tx)
    }

    func lock(householdOf person: PersonID, in tx: Transaction) throws {
        try FamilyServices.lock(householdOf: person, in: tx)
    }

    func children(of person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        try FamilyServices.children(of: person, in: tx).map { HouseholdPerson(id: $0.id, name: $0.name) }
    }
}

/// Ends the sharing of positions with a person who leaves the household.
struct PositionSharingDepartures: HouseholdDepartureHandler {
    let ender: PositionShareEnder

    func left(_ person: PersonID, now: Instant, in tx: Transaction) throws {
        try ender.endAll(with: person, now: now, in: tx)
    }
}

extension PositionLinks {
    init(_ tracking: TrackingServices) {
        let (people, shares) = (tracking.people, tracking.positionShares)
        self.init(
            isShared: { try await people.isShared(by: $0, with: $1) }, askers: { try await shares.askers(of: $0) })
    }
}
