import Synchronization

/// A cache of the people who are members of an app, which saves a query per request. Empties itself when it reaches
/// ``Limits/membershipCacheEntries``.
package final class MembershipCache: Sendable {
    private let people = Mutex<Set<PersonID>>([])

    package init() {}

    /// Returns whether the cache holds the person; `false` does not mean that the person is no member.
    package func contains(_ person: PersonID) -> Bool { people.withLock { $0.contains(person) } }

    /// Adds a person; a full cache is emptied first.
    package func insert(_ person: PersonID) {
        people.withLock { people in
            if people.count >= Limits.membershipCacheEntries { people.removeAll(keepingCapacity: true) }
            people.insert(person)
        }
    }

    /// Removes a person from the cache.
    package func remove(_ person: PersonID) { _ = people.withLock { $0.remove(person) } }
}
