import Kernel
import Recurrence
import Tracking
import WebCore

/// The page about the sharing of the reader's own position, in words for adults or for children.
struct MyPositionPage: Sendable {
    /// A person who sees the position.
    struct Viewer: Sendable {
        let viewerName: String
        /// The time until which the person sees it; `nil` for none.
        let untilMoment: FormattedTime?
        /// What shows the position, if not this person's phones.
        let sourceText: String?
        let endAction: String
        let endLabel: String
    }

    /// A request of a person.
    struct Ask: Sendable {
        let askText: String
        let askerID: String
        let askMoment: FormattedTime
        let answers: [Choice]
        let declineAction: String
    }

    /// The views of a person on one day.
    struct View: Sendable {
        let viewName: String
        let viewCount: String
        let viewMoment: FormattedTime
    }

    /// A rule of another person.
    struct Rule: Sendable {
        let ruleTitle: String
        let ruleNote: String
        let endAction: String
        let endLabel: String
    }

    let shell: Shell
    let reloadURL: String
    let isChild: Bool
    let isSharing: Bool
    let stateText: String
    let viewers: [Viewer]
    let endAllAction: String?
    let asks: [Ask]
    let hasAsks: Bool
    let views: [View]
    let hasViews: Bool
    let viewsNote: String
    let rules: [Rule]
    let hasRules: Bool
    // The form
    let sharesAction: String
    let leadText: String
    let people: [Choice]
    let hasPeople: Bool
    let peopleMessage: String
    let durations: [Choice]
    let durationMessage: String
    /// What shows the position; empty where there is no choice.
    let sources: [Choice]
    let hasSources: Bool
    let sourceMessage: String
    let formError: String?
    let sendNote: String
    let positionURL: String

    init(
        _ context: SignedInContext, _ overview: PositionSharingOverview, typed: MyPositionFormState, error: AppError?
    ) {
        let t = context.t
        let formatter = context.formatter(t)
        let isChild = context.isChild
        self.isChild = isChild
        var shell = Shell(
            context, title: isChild ? t("Where I am") : t("My position"), menu: .openedFrom(context), tab: "settings",
            isLargeTitle: false, isNarrow: true, isRefreshable: true,
            back: isChild
                ? ShellBack(url: TrackingPath.childAccount, label: t("Account"))
                : ShellBack(url: TrackingPath.map, label: t("Map")))
        reloadURL = TrackingPath.myPosition
        isSharing = !overview.entries.isEmpty
        // The account of the request may be that of a moment ago.
        shell.isSharingPosition = isSharing
        self.shell = shell
        let names = overview.entries.map(\.viewerName).isolated(separator: ", ")
        stateText =
            switch (isSharing, isChild) {
            case (true, true): t("On: {names} can see where you are.", ["names": names])
            case (true, false): t("On: you share your position with {names}.", ["names": names])
            case (false, true): t("Off: no one sees where you are.")
            case (false, false): t("Off: you don’t share your position.")
            }
        viewers = overview.entries.map { entry in
            Viewer(
                viewerName: entry.viewerName,
                untilMoment: entry.share.expiresAt.map { FormattedTime($0, formatter.times) },
                sourceText: entry.itemName,
                endAction: TrackingPath.myPosition + "/shares/\(entry.share.viewer)?_method=delete",
                endLabel: t("Stop sharing with {name}", ["name": entry.viewerName]))
        }
        endAllAction = isSharing ? TrackingPath.myPosition + "/shares?_method=delete" : nil
        let offered = PositionShareDuration.offered(toChild: isChild)
        asks = overview.requests.map { request in
            Ask(
                askText: t("{name} asks where you are", ["name": request.name]), askerID: request.asker.description,
                askMoment: FormattedTime(request.askedAt, formatter.times),
                answers: offered.filter { $0 != .untilEnded }.map {
                    Choice(value: $0.rawValue, choiceLabel: $0.answer(t), choiceHint: "", isChosen: false)
                },
                declineAction: TrackingPath.myPosition + "/requests/\(request.asker)?_method=delete")
        }
        hasAsks = !asks.isEmpty
        views = overview.views.map {
            View(
                viewName: $0.name, viewCount: t("{n} view", plural: "{n} views", count: $0.count),
                viewMoment: FormattedTime($0.lastAt, formatter.times))
        }
        hasViews = !views.isEmpty
        viewsNote = t(
            "Several views within {minutes} minutes count as one. They are kept for {days} days.",
            [
                "minutes": String(Limits.viewMergeSeconds / 60),
                "days": String(Limits.viewKeptSeconds / (24 * 60 * 60)),
            ])
        rules = overview.rules.map { entry in
            Rule(
                ruleTitle: t("{name} is notified", ["name": entry.ownerName]),
                ruleNote: entry.rule.settings.noteAboutYou(place: entry.rule.placeName, t),
                endAction: TrackingPath.myPosition + "/rules/\(entry.rule.id)?_method=delete",
                endLabel: t("End the rule of {name}", ["name": entry.ownerName]))
        }
        hasRules = !rules.isEmpty
        sharesAction = TrackingPath.myPosition + "/shares"
        leadText =
            isChild
            ? t("You decide. Choose who can see where you are, and for how long. Then it stops.")
            : t("The people you choose see where you are now, with the time and the accuracy. There is no history.")
        people = overview.candidates.map { person in
            let id = person.id.description
            return Choice(
                value: id, choiceLabel: person.name, choiceHint: "", isChosen: typed.personIDs.contains(id))
        }
        hasPeople = !people.isEmpty
        let shown = error?.translated(to: context.language)
        let faults = shown?.fields ?? [:]
        peopleMessage = faults["personIds"] ?? ""
        durations = offered.map {
            Choice(
                value: $0.rawValue, choiceLabel: $0.label(t), choiceHint: "", isChosen: $0.rawValue == typed.duration)
        }
        durationMessage = faults["duration"] ?? ""
        sources = overview.items.isEmpty ? [] : Self.sources(overview.items, typed, t)
        hasSources = !sources.isEmpty
        sourceMessage = faults["itemId"] ?? ""
        formError = shown.flatMap { $0.fields.isEmpty ? $0.message : nil }
        sendNote =
            isChild
            ? t("Your place is only sent while Homeward is open on your device.")
            : t("Your position is sent while a page of Tracking is open here, or by a connected app.")
        positionURL = isChild ? TrackingPath.myPosition : TrackingPath.position
    }

    private static func sources(_ items: [Item], _ typed: MyPositionFormState, _ t: Translator) -> [Choice] {
        let phones = Choice(
            value: "", choiceLabel: t("My phones"), choiceHint: t("Where Homeward or a connected app is open"),
            isChosen: typed.itemID.isEmpty)
        return [phones]
            + items.map { item in
                let id = item.id.description
                return Choice(
                    value: id, choiceLabel: item.name, choiceHint: t("An app on a phone that you carry"),
                    isChosen: typed.itemID == id)
            }
    }
}

extension PositionShareDuration {
    /// Returns the label of the choice.
    func label(_ t: Translator) -> String {
        switch self {
        case .hour: t("{n} hour", plural: "{n} hours", count: 1)
        case .day: t("Until the end of the day")
        case .untilEnded: t("Until I turn it off")
        }
    }

    /// Returns the label of the button that answers a request.
    fileprivate func answer(_ t: Translator) -> String {
        self == .hour
            ? t("Yes, for {n} hour", plural: "Yes, for {n} hours", count: 1) : t("Yes, until the end of the day")
    }
}

extension GeofenceSettings {
    /// Returns when another person is notified about the reader.
    fileprivate func noteAboutYou(place: String, _ t: Translator) -> String {
        let names: KeyValuePairs = ["place": place, "clock": by?.text ?? ""]
        let text =
            switch kind {
            case .arrive: t("When you arrive at {place}", names)
            case .leave: t("When you leave {place}", names)
            case .absent: t("When you aren’t at {place} by {clock}", names)
            }
        return [text, note(t)].isolated(separator: " · ")
    }
}

/// The submitted form of a sharing.
struct MyPositionFormState: Sendable {
    let personIDs: [String]
    let duration: String
    let itemID: String

    init() {
        personIDs = []
        duration = PositionShareDuration.hour.rawValue
        itemID = ""
    }

    init(_ fields: Fields) {
        var fields = fields
        personIDs = fields.strings("personIds", atMost: Limits.positionViewers).value ?? []
        duration = fields.typed("duration")
        itemID = fields.typed("itemId")
    }
}
