import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/admin/trackers`: the trackers and connected apps of all people and their rejected reports.
struct TrackersController: Sendable {
    let trackers: TrackerAdministrationService

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .get("{id}", use: show)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await trackers.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "admin-trackers", fragment: "admin-trackers-rows",
            page: { TrackerListPage(context, page, after: paging.after) },
            json: { ListJSON(items: page.items.map(AdministeredTrackerJSON.init), next: page.next) }
        )
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: AdministeredTracker.self)
        let (tracker, rejections) = try await trackers.details(of: id, for: context.actor)
        return try Responses.of(
            context, template: "admin-tracker",
            page: { TrackerAdministrationPage(context, tracker, rejections) },
            json: { TrackerDetailsJSON(tracker, rejections) }
        )
    }
}

/// A tracker of any person.
struct AdministeredTrackerJSON: Encodable {
    let id: ID<AdministeredTracker>
    let kind: String
    let ownerId: PersonID
    let ownerName: String
    let state: String
    @Nullable var battery: Int?
    @Nullable var lastSeenAt: Instant?
    let rejected: Int

    init(_ tracker: AdministeredTracker) {
        id = tracker.id
        kind = tracker.kind.rawValue
        ownerId = tracker.owner
        ownerName = tracker.ownerName
        state = tracker.state.rawValue
        battery = tracker.batteryPercent
        lastSeenAt = tracker.lastSeenAt
        rejected = tracker.rejectedCount
    }
}

/// A tracker with its rejected reports by reason.
struct TrackerDetailsJSON: Encodable {
    struct Rejections: Encodable {
        let reason: String
        let count: Int
        let lastAt: Instant
    }

    let tracker: AdministeredTrackerJSON
    let rejections: [Rejections]

    init(_ tracker: AdministeredTracker, _ rejections: [TrackerRejections]) {
        self.tracker = AdministeredTrackerJSON(tracker)
        self.rejections = rejections.map {
            Rejections(reason: $0.reason.rawValue, count: $0.count, lastAt: $0.lastAt)
        }
    }
}
