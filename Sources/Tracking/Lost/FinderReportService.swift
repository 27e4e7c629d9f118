package import Accounts
package import Kernel
import Notifications
import Storage

/// `…/finder-reports`: finders' words about an item, as its owner sees them.
package struct FinderReportService: Sendable {
    let database: Database
    let addresses: AddressService
    let clock: any WallClock

    /// Returns a page of an item's reports, newest first.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item; `invalid` at
    ///   `after` for an unknown cursor.
    package func list(
        of id: ID<Item>, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<FinderReport> {
        let request = try PageRequest<ID<FinderReport>>(after: after, limit: limit)
        let reports = try await database.read { tx in
            try ItemStore.require(.manage, of: actor.person, to: id, in: tx)
            return try FinderReportStore.page(of: id, before: request.after, limit: request.rows, in: tx)
        }
        return request.page(reports, \.id)
    }

    /// Returns one report with its item.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item.
    package func report(
        _ report: ID<FinderReport>, of id: ID<Item>, for actor: Actor
    ) async throws -> FinderReportDetails {
        let now = clock.now
        let (item, found, names, phone) = try await database.read { tx in
            let item = try ItemStore.item(id, of: actor.person, requires: .manage, in: tx)
            guard let found = try FinderReportStore.one(report, of: id, in: tx) else { throw AppError.notFound }
            return (
                item, found, try PlaceNames.all(for: actor, in: tx),
                try PositionStore.phone(for: actor, now: now, in: tx)?.coordinate
            )
        }
        let known = try await addresses.resolve(names, for: [found.place].compactMap(\.self))
        return FinderReportDetails(
            item: item, report: found, place: found.place.map { known.addresses.resolve(known.description(of: $0)) },
            distanceMetres: found.place.flatMap { place in phone?.distanceMetres(to: place) })
    }

    /// Stores the reply that the finder's page shows. It replaces an earlier one.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item; `invalid` at `message`.
    package func reply(
        _ message: String, to report: ID<FinderReport>, of id: ID<Item>, by change: Change
    ) async throws -> FinderReport {
        let now = clock.now
        var problems = FieldErrors<TrackingErrorMessage>()
        let text = problems.finderMessage(message)
        try problems.finish()
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: report.description) {
                let item = try ItemStore.lock(id, of: change.actor.person, requires: .manage, in: tx)
                _ = try FinderReportStore.lock(report, of: id, in: tx)
                try FinderReportStore.reply(text ?? "", to: report, now: now, in: tx)
                try TrackingEvents.publishCommand(of: id, owner: item.owner, now: now, in: tx)
            }
            guard let found = try FinderReportStore.one(report, of: id, in: tx) else { throw AppError.notFound }
            return found
        }
    }

    /// Deletes a report. The finder's page then no longer exists.
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to manage the item.
    package func delete(_ report: ID<FinderReport>, of id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: report.description) {
                let item = try ItemStore.lock(id, of: change.actor.person, requires: .manage, in: tx)
                _ = try FinderReportStore.lock(report, of: id, in: tx)
                try FinderReportStore.delete(report, in: tx)
                for recipient in try ItemAudience.people(of: item, isUrgent: true, in: tx) {
                    try Notice.withdraw(
                        about: TrackingEvents.path(report, of: id), from: recipient.person, at: now, in: tx)
                }
                try TrackingEvents.publishCommand(of: id, owner: item.owner, now: now, in: tx)
            }
        }
    }
}
