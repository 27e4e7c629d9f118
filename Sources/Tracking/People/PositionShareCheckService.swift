import Accounts
import Kernel
import Storage

/// Ends sharing between people who aren't in one household, and corrects what depends on sharing: its rows are also
/// deleted with an account or an item, by the database. A part of housekeeping.
package struct PositionShareCheckService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader
    let ender: PositionShareEnder

    /// A failure for one person doesn't stop the work for others.
    /// - Throws: The first error.
    func run(now: Instant) async throws {
        var errors = FirstError()
        var after: PersonID?
        while true {
            let batch = try await database.read { [after] tx in
                let people = try PositionShareStore.people(after: after, limit: Limits.housekeepingBatch, in: tx)
                return (last: people.last, departed: try people.filter { try !departed(of: $0, in: tx).isEmpty })
            }
            for person in batch.departed {
                try await errors.collect { try await endDeparted(of: person, now: now) }
            }
            guard let last = batch.last else { break }
            after = last
        }
        let wrong = try await database.read { tx in
            try PositionShareStore.withWrongState(now: now, in: tx)
        }
        for person in wrong {
            try await errors.collect {
                try await database.write { tx in
                    try ender.state.lock(person, in: tx)
                    try ender.refresh(person, now: now, in: tx)
                }
            }
        }
        try errors.throwFirst()
    }

    private func departed(of person: PersonID, in tx: Transaction) throws -> [PositionShare] {
        let adults = Set(try households.adults(with: person, in: tx).map(\.id))
        return try PositionShareStore.all(about: person, in: tx)
            .filter { $0.person == person && !adults.contains($0.viewer) }
    }

    private func endDeparted(of person: PersonID, now: Instant) async throws {
        try await database.write { tx in
            try households.lock(householdOf: person, in: tx)
            try ender.state.lock(person, in: tx)
            try ender.end(departed(of: person, in: tx), of: person, as: .stopped, now: now, in: tx)
        }
    }
}

/// The first error of work for several people, of which each part is attempted.
struct FirstError {
    private var error: (any Error)?

    /// Runs a part of the work.
    /// - Throws: `CancellationError`.
    mutating func collect(_ work: () async throws -> Void) async throws {
        try Task.checkCancellation()
        do {
            try await work()
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            self.error = self.error ?? error
        }
    }

    func throwFirst() throws {
        if let error { throw error }
    }
}
