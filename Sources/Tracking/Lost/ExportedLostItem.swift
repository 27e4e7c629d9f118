import Kernel
import Storage

/// Lost mode and finders' words of one item in an account's export. Labels are secrets, which aren't exported.
struct ExportedLostItem: Encodable {
    struct Report: Encodable {
        let id: ID<FinderReport>
        let message: String
        let latitude: Double?
        let longitude: Double?
        let reply: String?
        let createdAt: Instant

        init(_ report: FinderReport) {
            id = report.id
            message = report.message
            latitude = report.place?.latitude
            longitude = report.place?.longitude
            reply = report.reply
            createdAt = report.createdAt
        }
    }

    let itemId: ID<Item>
    let message: String?
    let contact: String?
    let showsPhoto: Bool?
    let lostSince: Instant?
    let reports: [Report]

    /// `nil` for an item without lost mode and reports.
    init?(_ item: Item, in tx: Transaction) throws {
        let mode = try LostModeStore.find(item.id, in: tx)
        reports = try FinderReportStore.page(of: item.id, before: nil, limit: Limits.finderReportsStored, in: tx)
            .map(Report.init)
        guard mode != nil || !reports.isEmpty else { return nil }
        itemId = item.id
        message = mode?.message
        contact = mode?.contact?.text
        showsPhoto = mode?.showsPhoto
        lostSince = mode?.since
    }
}
