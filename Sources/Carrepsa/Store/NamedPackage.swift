import Kernel
import Storage

/// A package with the names of its owner and carrier. It doesn't say whether the package is funded.
struct NamedPackage: Sendable {
    private(set) var stored: StoredPackage
    let owner: Party
    private(set) var carrier: Party?

    init(_ row: Row) throws {
        stored = try PackageStore.read(row)
        owner = Party(id: stored.owner, name: try row.get(at: PackageStore.columnCount))
        carrier = Self.carrier(of: stored, name: try row.get(at: PackageStore.columnCount + 1))
    }

    /// A package that was just posted.
    init(_ stored: StoredPackage, ownerName: String?) {
        self.stored = stored
        owner = Party(id: stored.owner, name: ownerName)
    }

    /// A deleted carrier is still recognizable by the acceptance time.
    private static func carrier(of package: StoredPackage, name: String?) -> Party? {
        let hadCarrier = package.carrier != nil || package.acceptedAt != nil
        return hadCarrier ? Party(id: package.carrier, name: name) : nil
    }

    /// The names of owner and carrier by their ids.
    var names: [PersonID: String] {
        [owner, carrier].compactMap { $0 }.reduce(into: [:]) { names, party in
            if let id = party.id { names[id] = party.name }
        }
    }

    /// Replaces the package by its state after a transition.
    /// - Parameter carrierName: the name of the carrier after the transition.
    mutating func replace(with after: StoredPackage, carrierName: String?) {
        stored = after
        carrier = Self.carrier(of: after, name: carrierName)
    }

    /// Reads the dispute of a package that is or was in dispute.
    mutating func readDispute(in tx: Transaction) throws { try stored.readDispute(in: tx) }

    /// Removes the carrier for a viewer who may no longer see it.
    mutating func hideCarrier() { carrier = nil }
}
