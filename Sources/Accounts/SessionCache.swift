import Kernel
import Synchronization

/// Caches valid sessions for a short time, so that a page with ten requests reads the database once.
///
/// Changes by this process drop the entries at once. Changes by another process or node take effect after
/// ``Limits/sessionCacheMilliseconds`` at most, because then an entry expires.
final class SessionCache: Sendable {
    struct Key: Hashable, Sendable {
        let tokenHash: [UInt8]
        let kind: Session.Kind
    }

    struct Entry: Sendable {
        let session: Session
        let account: Account
        let readAt: Instant
    }

    /// The state of the cache when a read began.
    struct Mark: Sendable, Equatable {
        fileprivate let drops: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var drops: UInt64 = 0
    }

    private let state = Mutex(State())

    func entry(_ key: Key, now: Instant) -> Entry? {
        state.withLock { state in
            guard let entry = state.entries[key] else { return nil }
            guard Self.isFresh(entry, now: now) else {
                state.entries[key] = nil
                return nil
            }
            return entry
        }
    }

    func mark() -> Mark { state.withLock { Mark(drops: $0.drops) } }

    /// Adds the result of a read, unless an entry was dropped since `mark`: it may have been this one.
    func store(_ entry: Entry, for key: Key, since mark: Mark) {
        state.withLock { state in
            guard state.drops == mark.drops else { return }
            if state.entries.count >= Limits.sessionCacheEntries {
                state.entries = state.entries.filter { Self.isFresh($0.value, now: entry.readAt) }
            }
            guard state.entries.count < Limits.sessionCacheEntries else { return }
            state.entries[key] = entry
        }
    }

    func drop(_ person: PersonID) {
        state.withLock { state in
            state.drops += 1
            state.entries = state.entries.filter { $0.value.account.id != person }
        }
    }

    private static func isFresh(_ entry: Entry, now: Instant) -> Bool {
        let age = now.millisecondsSince1970 - entry.readAt.millisecondsSince1970
        return (0..<Limits.sessionCacheMilliseconds).contains(age)
    }
}
