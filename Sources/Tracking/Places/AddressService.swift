import Kernel
import Logging
import MapServices
import Storage

/// Requests the addresses of positions in the background and stores them.
package struct AddressService: Sendable {
    let database: Database
    /// `nil` where no geocoder is set up.
    let geocoder: (any Geocoder)?
    let clock: any WallClock
    let logger: Logger

    /// Whether a geocoder is set up.
    package var isEnabled: Bool { geocoder != nil }

    /// Performs the request that has been due for the longest time. The geocoder delays it to comply with the usage
    /// policy of the service.
    /// - Throws: Errors of the database.
    package func run() async throws {
        guard let geocoder else { return }
        let now = clock.now
        let due = try await database.read { tx in try AddressStore.due(now: now, in: tx) }
        guard let due, let centre = due.cell.centre else { return }
        do {
            let text = try await geocoder.address(of: centre).map { String($0.prefix(Limits.addressCharacters)) }
            try await database.write { tx in
                try AddressStore.store(text?.isEmpty == true ? nil : text, for: due.cell, in: tx)
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.warning("The geocoder didn't answer", metadata: ["error": "\(type(of: error))"])
            let delay = ExponentialBackOff.addresses.milliseconds(afterAttempt: due.attempts + 1, chance: 0)
            // All requests wait: the next one would fail, too.
            let next = Instant(millisecondsSince1970: clock.now.millisecondsSince1970 + delay)
            try await database.write { tx in try AddressStore.postpone(due.cell, until: next, in: tx) }
        }
    }

    /// Returns the known addresses of positions, and requests the others.
    func addresses(of positions: [Coordinate]) async throws -> KnownAddresses {
        guard isEnabled else { return KnownAddresses() }
        var cells: Set<AddressCell> = []
        for position in positions where cells.count < Limits.addressesPerPage { cells.insert(AddressCell(position)) }
        let wanted = cells
        guard !wanted.isEmpty else { return KnownAddresses() }
        let known = try await database.read { tx in try AddressStore.addresses(of: wanted, in: tx) }
        let missing = wanted.subtracting(known.keys)
        if !missing.isEmpty {
            let now = clock.now
            try await database.write { tx in try AddressStore.request(missing, now: now, in: tx) }
        }
        return KnownAddresses(texts: known.compactMapValues { $0 })
    }

    /// Returns the items with addresses for those that no safe place names.
    func resolve(_ items: [ItemOverview]) async throws -> [ItemOverview] {
        guard isEnabled else { return items }
        let known = try await addresses(of: items.compactMap { $0.place?.unnamed })
        return items.map { item in item.place.map { item.with(place: known.resolve($0)) } ?? item }
    }

    /// Returns names that also know the addresses of positions that no safe place names.
    func resolve(_ names: PlaceNames, for positions: [Coordinate]) async throws -> PlaceNames {
        guard isEnabled else { return names }
        var names = names
        names.addresses = try await addresses(of: positions.compactMap { names.description(of: $0).unnamed })
        return names
    }
}

/// The addresses of some positions.
package struct KnownAddresses: Sendable {
    var texts: [AddressCell: String] = [:]

    /// Returns the address of a position that no safe place names, if it is known.
    func resolve(_ description: PlaceDescription) -> PlaceDescription {
        description.unnamed.flatMap { texts[AddressCell($0)] }.map(PlaceDescription.address) ?? description
    }
}

extension PlaceDescription {
    /// The position without a name.
    var unnamed: Coordinate? {
        guard case .coordinates(let position) = self else { return nil }
        return position
    }
}

extension ExponentialBackOff {
    /// The delays after failures of the geocoder: 10 seconds to an hour.
    fileprivate static let addresses = ExponentialBackOff(firstMilliseconds: 10_000, maximumMilliseconds: 3_600_000)
}
