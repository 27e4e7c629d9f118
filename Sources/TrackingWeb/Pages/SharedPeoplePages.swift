import Kernel
import Tracking
import WebCore

/// The people who share their position with the reader: a page, and a part of the map's page.
struct SharedPeoplePage: Sendable {
    let shell: Shell
    let reloadURL: String
    let people: [SharedPersonRow]
    let hasPeople: Bool
    let others: [OtherPersonRow]
    let hasOthers: Bool
    let myPositionURL: String

    init(_ context: SignedInContext, _ shown: SharedPeople) {
        let t = context.t
        let formatter = context.formatter(t)
        shell = Shell(
            context, title: t("People"), menu: .tracking(t), tab: "map", isLargeTitle: false, isNarrow: true,
            isRefreshable: true, back: ShellBack(url: TrackingPath.map, label: t("Map")))
        reloadURL = TrackingPath.persons
        people = shown.people.map { SharedPersonRow($0, t: t, formatter: formatter) }
        hasPeople = !people.isEmpty
        others = shown.others.map { OtherPersonRow($0, t: t, formatter: formatter) }
        hasOthers = !others.isEmpty
        myPositionURL = TrackingPath.myPosition
    }
}

/// A person who shares their position.
struct SharedPersonRow: Sendable {
    let personID: String
    let personName: String
    let personURL: String
    /// Where the person is, or that it isn't known.
    let personPlace: String
    let accuracyText: String?
    let personMoment: FormattedTime?

    init(_ person: SharedPerson, t: Translator, formatter: TrackingFormatter) {
        personID = person.share.person.description
        personName = person.name
        personURL = TrackingPath.person(person.share.person)
        personPlace = person.place.map(formatter.place) ?? t("No position yet")
        accuracyText = person.position?.accuracyMetres.map(formatter.accuracy)
        personMoment = person.position.map { FormattedTime($0.at, formatter.times) }
    }
}

/// A person of the family who doesn't share their position with the reader.
struct OtherPersonRow: Sendable {
    let otherName: String
    /// `nil` after a recent request.
    let askAction: String?
    let askLabel: String
    let askedMoment: FormattedTime?

    init(_ other: SharedPeople.Other, t: Translator, formatter: TrackingFormatter) {
        otherName = other.person.name
        askAction = other.askedAt == nil ? TrackingPath.person(other.person.id) + "/request?_method=put" : nil
        askLabel = t("Ask {name} to share", ["name": other.person.name])
        askedMoment = other.askedAt.map { FormattedTime($0, formatter.times) }
    }
}

/// The page of a person who shares their position.
struct SharedPersonPage: Sendable {
    let shell: Shell
    let reloadURL: String
    let person: SharedPersonRow
    let untilMoment: FormattedTime?
    let mapURL: String
    let rules: [GeofenceRow]
    let hasRules: Bool
    let hasPlaces: Bool
    let addURL: String
    let addPlaceURL: String
    /// Ends the sharing for the reader.
    let stopAction: String

    init(_ context: SignedInContext, _ shown: SharedPerson, rules: [PersonRule], hasPlaces: Bool) {
        let t = context.t
        let formatter = context.formatter(t)
        let id = shown.share.person
        shell = Shell(
            context, title: shown.name, menu: .tracking(t), tab: "map", isLargeTitle: false, isNarrow: true,
            isRefreshable: true, back: ShellBack(url: TrackingPath.persons, label: t("People")))
        reloadURL = TrackingPath.person(id)
        person = SharedPersonRow(shown, t: t, formatter: formatter)
        untilMoment = shown.share.expiresAt.map { FormattedTime($0, formatter.times) }
        mapURL = TrackingPath.map
        self.rules = rules.map { GeofenceRow($0, t: t) }
        hasRules = !rules.isEmpty
        self.hasPlaces = hasPlaces
        addURL = TrackingPath.rules(about: id) + "/new"
        addPlaceURL = TrackingPath.newSafePlace(forRuleAbout: id)
        stopAction = TrackingPath.person(id) + "?_method=delete"
    }
}

extension GeofenceRow {
    init(_ rule: PersonRule, t: Translator) {
        ruleTitle = rule.settings.title(place: rule.placeName, t)
        ruleNote = rule.settings.note(t)
        ruleURL = TrackingPath.rule(rule.id, about: rule.person)
    }
}

/// The addresses and words of the form of a rule about a person.
struct PersonRuleForm: Sendable {
    let person: PersonID
    let name: String
    let rule: PersonRule?

    init(_ person: SharedPerson, _ rule: PersonRule?) {
        self.person = person.share.person
        name = person.name
        self.rule = rule
    }
}
