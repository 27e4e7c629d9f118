package import Accounts
package import Kernel
import Storage

/// `…/fixes`: the history of an item's positions.
package struct HistoryService: Sendable {
    let database: Database
    let addresses: AddressService

    /// Returns a page of an item's positions, newest first.
    /// - Throws: `AppError`: `notFound`; `invalid` at `after` for an unknown cursor.
    package func list(
        of id: ID<Item>, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<Fix> {
        let request = try PageRequest<ID<Fix>>(after: after, limit: limit)
        let fixes = try await database.read { tx in
            guard try ItemStore.item(id, of: actor.person, in: tx) != nil else { throw AppError.notFound }
            return try HistoryStore.page(of: id, .newestFirst, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(fixes, \.id)
    }

    /// Returns an item, a page of its positions, newest first, and the names of places.
    /// - Throws: The errors of ``list(of:for:after:limit:)``.
    package func itemWithFixes(
        _ id: ID<Item>, for actor: Actor, after: String?, limit: Int
    ) async throws -> (item: Item, fixes: ListPage<Fix>, names: PlaceNames) {
        let (item, page, names) = try await database.read { tx in
            guard let item = try ItemStore.item(id, of: actor.person, in: tx) else { throw AppError.notFound }
            let request = try PageRequest<ID<Fix>>(after: after, limit: limit)
            let fixes = try HistoryStore.page(
                of: id, .newestFirst, after: request.after, limit: request.rows, in: tx)
            return (item, request.page(fixes, \.id), try PlaceNames.all(for: actor, in: tx))
        }
        return (item, page, try await addresses.resolve(names, for: page.items.map(\.coordinate)))
    }

    /// Returns an item's whole history as a stream, oldest first.
    /// - Throws: `AppError.notFound`, before the stream starts.
    package func export(_ id: ID<Item>, format: ExportFormat, for actor: Actor) async throws -> HistoryExport {
        let item = try await database.read { tx in try ItemStore.item(id, of: actor.person, in: tx) }
        guard let item else { throw AppError.notFound }
        return HistoryExport(item: item, for: actor.person, format: format, database: database)
    }
}
