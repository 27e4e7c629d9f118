import Kernel
import Synchronization

/// Who is known to have a wallet, so that it isn't looked up with each request. Wallets are never closed.
final class EnteredPeople: Sendable {
    private let people = Mutex<Set<PersonID>>([])

    func contains(_ person: PersonID) -> Bool { people.withLock { $0.contains(person) } }

    func insert(_ person: PersonID) {
        people.withLock { people in
            if people.count >= Limits.enteredPeople { people.removeAll(keepingCapacity: true) }
            people.insert(person)
        }
    }

    func remove(_ person: PersonID) { _ = people.withLock { $0.remove(person) } }
}
