import Kernel

/// The start of a page: the id of the last entry of the previous page.
enum Cursor {
    static func id<Entity>(_ text: String?, of _: Entity.Type = Entity.self) throws -> ID<Entity>? {
        guard let text else { return nil }
        guard let id = ID<Entity>(text) else { throw AppError(.invalid, .cursorUnknown, field: "after") }
        return id
    }

    static func limit(_ wanted: Int) -> Int { min(max(wanted, 1), Limits.pageSizeMaximum) }
}
