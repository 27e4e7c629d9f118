import Kernel

/// The limit and the start of a page.
enum FamilyCursor {
    static func limit(_ wanted: Int) -> Int { min(max(wanted, 1), Limits.pageSizeMaximum) }

    static func id<Entity>(_ text: String?) throws -> ID<Entity>? {
        guard let text else { return nil }
        guard let id = ID<Entity>(text) else { throw AppError(.invalid, .cursorUnknown, field: "after") }
        return id
    }
}
