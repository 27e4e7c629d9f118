import Kernel
import Synchronization

/// Sessions that were found good a moment ago, so that a page with ten requests asks the store once.
///
/// What this process changes is dropped at once. What another process or node changes is noticed because no entry
/// is believed for longer than ``Limits/sessionCacheMilliseconds``.
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

    /// What was the present state when a read began.
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

    /// Keeps what was read since `mark`, unless something was dropped meanwhile: it may have been this.
    func keep(_ entry: Entry, for key: Key, since mark: Mark) {
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
