import Kernel

/// An item with its new tracker.
package struct PairedItem: Sendable, Equatable {
    package let item: Item
    package let tracker: TrackerStatus

    /// - Throws: `AppError.notFound` when the tracker was removed since.
    init(_ overview: ItemOverview) throws {
        guard let tracker = overview.tracker else { throw AppError.notFound }
        item = overview.item
        self.tracker = tracker
    }
}
