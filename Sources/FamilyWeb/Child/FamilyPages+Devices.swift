import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// The routes of a child's devices and of its requests.
extension FamilyPages {
    @Sendable func listDevices(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let paging = try context.paging()
        let devices = try await family.childDevices.list(
            of: id, for: context.actor, after: paging.after, limit: paging.limit)
        if context.face == .json {
            let items = devices.items.map { DeviceJSON($0, current: context.session.id) }
            return try Responses.json(context, ListJSON(items: items, next: devices.next))
        }
        let child = try await family.children.child(id, for: context.actor)
        return try Responses.page(
            context, template: "family-devices", fragment: "family-devices-rows",
            ChildDevicesPage(context, child, devices)
        )
    }

    @Sendable func removeDevice(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let device = try context.id("deviceId", of: Session.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await family.childDevices.signOut(device, of: id, by: context.change(fields))
        let isThisOne = device == context.session.id
        var response = Responses.removed(
            context, seeOther: isThisOne ? FamilyPath.door : FamilyPath.devices(of: id),
            toast: ShellToast(context.familyStrings.child.devices.signedOut)
        )
        if isThisOne, context.session.kind == .cookie { response.endSession(context) }
        return response
    }

    @Sendable func requestPoints(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context)
        let chore = fields.id("choreId", of: Chore.self).value
        do {
            try fields.check()
            let asked = try await family.requests.create(chore, for: id, by: context.change(fields))
            let words = context.familyStrings.child.my
            return try Responses.created(
                context, location: "\(FamilyPath.requests(of: id))/\(asked.id)", json: { ChoreRequestJSON(asked) },
                seeOther: FamilyPath.child(id),
                toast: ShellToast(
                    FamilyStrings.fill(words.asked, ["chore": asked.name]),
                    undoURL: FamilyPath.request(asked.id, of: id) + "?_method=delete",
                    undoLabel: context.familyStrings.common.undo)
            )
        } catch let error as AppError {
            // The chore's tile has no space for a message, and it disappears on a reload.
            guard context.face != .json, error.code == .conflict || error.code == .invalid else { throw error }
            let sentence = context.translated(error).message
            return Responses.seeOther(context, to: FamilyPath.child(id), toast: ShellToast(sentence, isProblem: true))
        }
    }
}

/// A child's device in the JSON API, with the fields of `/account/sessions`.
struct DeviceJSON: Encodable {
    let id: ID<Session>
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant
    let current: Bool

    init(_ session: Session, current: ID<Session>) {
        id = session.id
        name = session.name
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        self.current = session.id == current
    }
}

/// The list of the devices on which a child is signed in.
struct ChildDevicesPage: Sendable {
    let shell: Shell
    let t: FamilyDeviceStrings
    let devicesURL: String
    let lead: String
    let isParent: Bool
    let codesURL: String
    let voidURL: String
    let devices: [ChildDeviceRow]
    let hasDevices: Bool
    let nextURL: String?

    init(_ context: SignedInContext, _ child: Child, _ page: FamilyPage<Session>) {
        let words = context.familyStrings
        let t = words.child.devices
        self.t = t
        isParent = context.account.role == .adult
        let isMine = context.actor.person == child.id
        func fill(_ text: String) -> String { FamilyStrings.fill(text, ["name": child.name]) }
        shell = Shell(
            context, title: isMine ? t.mine : fill(t.title), menu: .family(words, for: context.account),
            tab: isMine ? FamilyTab.account.rawValue : FamilyTab.family.rawValue, isLargeTitle: false,
            isRefreshable: true,
            back: isMine
                ? ShellBack(url: FamilyPath.account, label: words.common.account)
                : ShellBack(url: FamilyPath.child(child.id), label: child.name)
        )
        devicesURL = FamilyPath.devices(of: child.id)
        lead = isMine ? t.mineLead : fill(t.lead)
        codesURL = FamilyPath.signInCodes(of: child.id)
        voidURL = "\(FamilyPath.signInCodes(of: child.id))?_method=delete"
        let formatter = FamilyFormatter(language: context.language, now: context.web.clock.now)
        devices = page.items.map { ChildDeviceRow($0, of: child, current: context.session.id, t, formatter) }
        hasDevices = !devices.isEmpty
        nextURL = page.next.map { "\(FamilyPath.devices(of: child.id))?after=\(PathSegment.encoded($0))" }
    }
}

struct ChildDeviceRow: Sendable {
    let deviceID: String
    let deviceName: String
    let deviceIcon: String
    let isCurrent: Bool
    let lastUsed: FamilyMoment
    let removeURL: String
    let question: String

    init(
        _ session: Session, of child: Child, current: ID<Session>, _ t: FamilyDeviceStrings,
        _ formatter: FamilyFormatter
    ) {
        deviceID = session.id.description
        deviceName = session.name
        deviceIcon = Self.icon(session.name)
        isCurrent = session.id == current
        // The store updates the time of a session's last use once an hour. This session is in use now.
        lastUsed = FamilyMoment(isCurrent ? formatter.now : session.lastUsedAt, formatter)
        removeURL = FamilyPath.device(session.id, of: child.id) + "?_method=delete"
        question = FamilyStrings.fill(t.question, ["device": session.name])
    }

    private static func icon(_ name: String) -> String {
        if name.contains("iPad") { return "tablet" }
        return name.contains("iPhone") || name.contains("Android") ? "smartphone" : "laptop"
    }
}
