import Kernel

/// Parses the limit and the cursor of a page.
enum CarrepsaCursor {
    static func limit(_ wanted: Int) -> Int { min(max(wanted, 1), Limits.pageSizeMaximum) }

    static func package(_ text: String?) throws -> ID<Package>? {
        guard let text else { return nil }
        guard let id = ID<Package>(text) else { throw AppError(.invalid, .cursorUnknown, field: "after") }
        return id
    }

    static func sequence(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        guard let sequence = Int64(text), sequence > 0 else {
            throw AppError(.invalid, .cursorUnknown, field: "after")
        }
        return sequence
    }
}
