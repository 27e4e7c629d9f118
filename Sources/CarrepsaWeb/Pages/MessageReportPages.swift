import Carrepsa
import Kernel
import Pictures
import WebCore

/// The view model of the form that reports a message.
struct MessageReportPage: Sendable {
    let shell: Shell
    let reportURL: String
    let messageText: String?
    let photoURL: String?
    let placeText: String?
    let reasonField: PackageField
    let formError: String?
    let blockLabel: String
    let isBlocking: Bool

    init(
        _ context: SignedInContext, _ message: PackageMessage, of author: String?, about package: ID<Package>,
        typed: String, blocks: Bool, error: AppError?
    ) {
        let t = context.t
        shell = Shell(
            context, title: t("Report message"), menu: .carrepsa(t), isNarrow: true,
            back: ShellBack(url: CarrepsaPath.messages(package), label: t("Messages")))
        reportURL = CarrepsaPath.messageReport(message.id, about: package)
        messageText = message.text
        photoURL = message.pictureID.map { CarrepsaPath.picture($0, size: .medium) }
        placeText = message.place.map { "\($0.latitude), \($0.longitude)" }
        let reasonError = error?.fields["reason"]
        reasonField = PackageField("reason", t("Reason"), value: typed, message: reasonError ?? "")
        formError = reasonError == nil ? error?.message : nil
        blockLabel = t("Block {name}", ["name": author ?? t("Former member")])
        isBlocking = blocks
    }
}

/// The view model of the reported messages.
struct MessageReportListPage: Sendable {
    let shell: Shell
    let reports: [MessageReportRow]
    let isEmpty: Bool
    let moreURL: String?

    init(_ context: SignedInContext, _ page: ListPage<MessageReport>) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        shell = Shell(
            context, title: t("Reported messages"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue,
            back: ShellBack(url: CarrepsaPath.profile, label: t("Profile")))
        reports = page.items.map { MessageReportRow($0, t, times) }
        isEmpty = reports.isEmpty
        moreURL = page.next.map { "\(CarrepsaPath.messageReports)?after=\($0)" }
    }
}

/// A reported message in the list.
struct MessageReportRow: Sendable {
    let closeURL: String
    let reporterName: String
    let reporterURL: String
    let authorName: String
    /// `nil` if the account was deleted.
    let authorURL: String?
    let packageTitle: String
    /// `nil` if administrators can't open the package.
    let packageURL: String?
    let messageText: String?
    let photoURL: String?
    let placeText: String?
    let reasonText: String?
    let reportMoment: FormattedTime

    init(_ report: MessageReport, _ t: Translator, _ times: TimeFormatter) {
        closeURL = CarrepsaPath.messageReport(report.id) + "?_method=delete"
        reporterName = report.reporterName
        reporterURL = CarrepsaPath.person(report.reporter)
        authorName = report.authorName ?? t("Former member")
        authorURL = report.message.author.map(CarrepsaPath.person)
        packageTitle = report.title
        packageURL = report.isInDispute ? CarrepsaPath.package(report.package) : nil
        messageText = report.message.text
        photoURL = report.message.pictureID.map { CarrepsaPath.picture($0, size: .medium) }
        placeText = report.message.place.map { "\($0.latitude), \($0.longitude)" }
        reasonText = report.reason
        reportMoment = FormattedTime(report.createdAt, times)
    }
}

/// The view model of the people whom the reader blocked.
struct BlocksPage: Sendable {
    let shell: Shell
    let people: [BlockRow]
    let isEmpty: Bool

    init(_ context: SignedInContext, _ people: [BlockedPerson]) {
        let t = context.t
        shell = Shell(
            context, title: t("Blocked people"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue,
            back: ShellBack(url: CarrepsaPath.profile, label: t("Profile")))
        self.people = people.map {
            BlockRow(
                blockedName: $0.name, unblockURL: CarrepsaPath.block($0.id) + "?_method=delete",
                unblockLabel: t("Unblock {name}", ["name": $0.name]),
                unblockQuestion: t("Unblock {name}?", ["name": $0.name]))
        }
        isEmpty = people.isEmpty
    }
}

/// A blocked person in the list.
struct BlockRow: Sendable {
    let blockedName: String
    let unblockURL: String
    let unblockLabel: String
    let unblockQuestion: String
}
