import Kernel
import Tracking
import WebCore

/// The view model of the list of trackers.
struct TrackerListPage: Sendable {
    let shell: Shell
    let reloadURL: String
    let isEmpty: Bool
    let trackers: [TrackerRow]
    let moreURL: String?

    init(_ context: SignedInContext, _ page: ListPage<AdministeredTracker>, after: String?) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        trackers = page.items.map { TrackerRow($0, t, times) }
        isEmpty = trackers.isEmpty
        reloadURL = AdminPath.reload(AdminPath.trackers, after: after)
        moreURL = page.next.map { "\(AdminPath.trackers)?after=\($0)" }
        shell = .admin(context, title: t("Trackers"), isRefreshable: true)
    }
}

/// A tracker in the list.
struct TrackerRow: Sendable {
    let trackerURL: String
    let ownerText: String
    let stateText: String
    /// `nil` for a tracker that never sent a message.
    let seenMoment: FormattedTime?
    /// `nil` if no report was rejected.
    let rejectedText: String?

    init(_ tracker: AdministeredTracker, _ t: Translator, _ times: TimeFormatter) {
        trackerURL = AdminPath.tracker(tracker.id)
        ownerText = tracker.ownerName
        stateText = [
            tracker.kind.text(t), tracker.state.text(t),
            tracker.batteryPercent.map { t("Battery {n}\u{a0}%", ["n": String($0)]) },
        ].compactMap(\.self).isolated(separator: " · ")
        seenMoment = tracker.lastSeenAt.map { FormattedTime($0, times) }
        rejectedText =
            tracker.rejectedCount == 0
            ? nil : t("{n} rejected report", plural: "{n} rejected reports", count: tracker.rejectedCount)
    }
}

/// The view model of one tracker.
struct TrackerAdministrationPage: Sendable {
    let shell: Shell
    let facts: [AdminFact]
    let seenMoment: FormattedTime?
    let isEmpty: Bool
    let emptyText: String
    let rejections: [AdminRow]

    init(_ context: SignedInContext, _ tracker: AdministeredTracker, _ rejections: [TrackerRejections]) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        facts = [
            AdminFact(factLabel: t("Owner"), factText: tracker.ownerName),
            AdminFact(factLabel: t("Kind"), factText: tracker.kind.text(t)),
            AdminFact(factLabel: t("State"), factText: tracker.state.text(t)),
            AdminFact(
                factLabel: t("Battery"),
                factText: tracker.batteryPercent.map { t("{n}\u{a0}%", ["n": String($0)]) } ?? t("Not reported")),
            AdminFact(factLabel: t("ID"), factText: tracker.id.description),
        ]
        seenMoment = tracker.lastSeenAt.map { FormattedTime($0, times) }
        self.rejections = rejections.map { AdminRow($0, t, times) }
        isEmpty = rejections.isEmpty
        emptyText = t(
            "No report was rejected in the last {n} day.", plural: "No report was rejected in the last {n} days.",
            count: Limits.quarantineSeconds.wholeDays)
        shell = .admin(
            context, title: t("{name}’s tracker", ["name": tracker.ownerName]),
            back: ShellBack(url: AdminPath.trackers, label: t("Trackers")))
    }
}

extension AdminRow {
    /// The rejected reports for one reason.
    fileprivate init(_ rejections: TrackerRejections, _ t: Translator, _ times: TimeFormatter) {
        self.init(
            icon: "triangle-alert", title: rejections.reason.sentence(t),
            notes: [t("{n} report", plural: "{n} reports", count: rejections.count)],
            moment: FormattedTime(rejections.lastAt, times))
    }
}

extension AdministeredTracker.Kind {
    func text(_ t: Translator) -> String {
        switch self {
        case .tracker: t("Tracker")
        case .ownTracks: "OwnTracks"
        case .osmAnd: "OsmAnd"
        }
    }
}

extension TrackerState {
    func text(_ t: Translator) -> String {
        switch self {
        case .registering: t("Pairing…")
        case .bound: t("Paired, not on yet")
        case .active: t("On", context: "tracker")
        case .off: t("Off", context: "tracker")
        case .releasing: t("Being released")
        }
    }
}
