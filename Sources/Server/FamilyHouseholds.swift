import Family
import Kernel
import Storage
import Tracking

/// Lets people share items with the other parents of their household: Tracking doesn't know Family.
struct FamilyHouseholds: HouseholdPeopleReader {
    func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        try FamilyServices.parents(with: person, in: tx).map { HouseholdPerson(id: $0.id, name: $0.name) }
    }
}
