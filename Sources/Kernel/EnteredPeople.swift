import Synchronization

/// Who is known to have entered an app, so that it isn't looked up with each request. Forgets everybody when it is full.
package final class EnteredPeople: Sendable {
    private let people = Mutex<Set<PersonID>>([])

    /// Makes an empty memory.
    package init() {}

    /// Whether somebody is known to be in.
    package func contains(_ person: PersonID) -> Bool { people.withLock { $0.contains(person) } }

    /// Remembers somebody.
    package func insert(_ person: PersonID) {
        people.withLock { people in
            if people.count >= Limits.enteredPeople { people.removeAll(keepingCapacity: true) }
            people.insert(person)
        }
    }

    /// Forgets somebody.
    package func remove(_ person: PersonID) { _ = people.withLock { $0.remove(person) } }
}
