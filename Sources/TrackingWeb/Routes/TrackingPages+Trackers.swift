import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

extension TrackingPages {
    // MARK: History

    @Sendable func fixes(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        if let name = context.query("format") { return try await export(id, format: name, context) }
        let paging = try context.paging()
        if context.face == .json {
            let page = try await service.fixes(of: id, for: context.actor, after: paging.after, limit: paging.limit)
            return try Responses.json(context, ListJSON(items: page.items.map(FixJSON.init), next: page.next))
        }
        let overview = try await service.item(id, for: context.actor)
        let page = try await service.fixes(of: id, for: context.actor, after: paging.after, limit: paging.limit)
        let t = context.words
        return try Responses.page(
            context, template: "tracking-history", fragment: "tracking-history-rows",
            HistoryPage(
                context, overview.item, fixes: page.items, next: page.next, t: t, formatter: context.formatter(t)
            )
        )
    }

    private func export(_ id: ID<Item>, format name: String, _ context: SignedInContext) async throws -> Response {
        guard let format = ExportFormat(rawValue: name) else {
            let choices = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw AppError.invalid("format", TrackingStrings.fill(context.words.history.format, ["formats": choices]))
        }
        let history = try await service.export(id, format: format, for: context.actor)
        return Responses.stream(context, mediaType: format.mediaType, filename: history.fileName, chunks: history)
    }

    // MARK: Pairing

    @Sendable func showTracker(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let overview = try await service.item(context.id("id", of: Item.self), for: context.actor)
        if context.face == .json {
            guard let tracker = overview.tracker else { throw AppError.notFound }
            return try Responses.json(context, TrackerJSON(tracker))
        }
        return try Responses.page(
            context, template: "tracking-tracker", trackerPage(overview, typedCode: "", error: nil, context)
        )
    }

    private func trackerPage(
        _ overview: ItemOverview, typedCode: String, error: AppError?, _ context: SignedInContext
    ) -> TrackerPage {
        let t = context.words
        return TrackerPage(
            context, overview, typedCode: typedCode, error: error, t: t, formatter: context.formatter(t)
        )
    }

    @Sendable func pairTracker(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typedCode = ""
        return try await Responses.form(
            context, template: "tracking-tracker",
            page: { error in
                let overview = try await service.item(id, for: context.actor)
                return trackerPage(overview, typedCode: typedCode, error: error, context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typedCode = fields.typed("code")
                let code = fields.string("code")
                let pairing = fields.string("pairing").value
                if pairing == nil, (code.value ?? "").allSatisfy(\.isWhitespace) {
                    fields.note("code", context.words.pairing.codeMissing)
                }
                try fields.check()
                let change = try context.change(fields)
                let tracker: TrackerStatus
                if let pairing {
                    tracker = try await service.pair(id, pairing: pairing, by: change)
                } else {
                    tracker = try await service.pair(
                        id, code: code.value ?? "", clientAddress: context.clientAddress, by: change
                    )
                }
                let toast = try await pairedToast(id, context)
                return try Responses.changed(
                    context, json: { TrackerJSON(tracker) }, seeOther: TrackingPath.item(id), toast: toast
                )
            }
        )
    }

    private func pairedToast(_ id: ID<Item>, _ context: SignedInContext) async throws -> ShellToast? {
        guard context.face != .json else { return nil }
        let name = try await service.item(id, for: context.actor).item.name
        return ShellToast(TrackingStrings.fill(context.words.pairing.paired, ["name": name]))
    }

    @Sendable func unpairTracker(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await service.unpair(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.item(id), toast: ShellToast(context.words.pairing.unpaired)
        )
    }

    // MARK: Commands

    @Sendable func listCommands(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let paging = try context.paging()
        guard context.face == .json else { return Responses.seeOther(context, to: TrackingPath.item(id)) }
        let page = try await service.commands(of: id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(CommandJSON.init), next: page.next))
    }

    @Sendable func giveCommand(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        // *Undo* in a toast names the command in its URL.
        let undone = context.query("undo").flatMap(OwnerCommand.init(rawValue:))
        let kind = undone ?? fields.requireChoice("kind", of: OwnerCommand.self)
        let view = CommandView(rawValue: fields.typed("view")) ?? (undone == nil ? .details : .card)
        try fields.check()
        guard let kind else { throw AppError.notFound }
        do {
            let command = try await service.command(id, kind: kind.kind, by: context.change(fields))
            if context.face == .json {
                return try Responses.accepted(
                    context, version: command.version, json: { CommandJSON(command) }, seeOther: TrackingPath.items
                )
            }
            return try await afterCommand(id, from: view, problem: nil, asked: kind, context)
        } catch let error as AppError where error.code == .conflict && context.face != .json {
            let problem = error.translated(to: context.language).message
            return try await afterCommand(id, from: view, problem: problem, asked: nil, context)
        }
    }

    /// Returns the page on which the command was given, with the new state and a message.
    private func afterCommand(
        _ id: ID<Item>, from view: CommandView, problem: String?, asked: OwnerCommand?, _ context: SignedInContext
    ) async throws -> Response {
        let t = context.words
        let overview = try await service.item(id, for: context.actor)
        var toast = problem.map { ShellToast($0, isProblem: true) }
        if let asked { toast = asked.toast(for: overview.item, t, context.language) }
        guard context.face == .fragment else {
            return Responses.seeOther(context, to: view.path(of: id), toast: toast)
        }
        var response: Response
        switch view {
        case .card:
            let card = ItemCard(
                overview, assets: context.assets, key: context.newIdempotencyKey(), t: t,
                formatter: context.formatter(t)
            )
            response = try Responses.page(
                context, template: "tracking-item-card-fragment", fragment: "tracking-item-card-fragment",
                ItemCardFragment(card: card)
            )
        case .tracker:
            let page = trackerPage(overview, typedCode: "", error: nil, context)
            response = try Responses.page(context, template: "tracking-tracker", page)
        case .details:
            response = try await details(overview, context)
        }
        if let toast { response.toast(toast) }
        return response
    }

    // MARK: Navigation

    @Sendable func navigate(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var chosen = context.account.mapsApp
        if let name = context.query("to") {
            guard let app = MapsApp(rawValue: name) else {
                let choices = MapsApp.allCases.map(\.rawValue).joined(separator: ", ")
                throw AppError.invalid(
                    "to", TrackingStrings.fill(context.words.details.mapsChoices, ["apps": choices]))
            }
            chosen = app
        }
        if context.face == .json {
            let link = try await service.navigation(id, to: chosen ?? .apple, for: context.actor)
            return try Responses.json(context, NavigationJSON(link))
        }
        guard let chosen else {
            let item = try await service.item(id, for: context.actor).item
            return try Responses.page(
                context, template: "tracking-maps", MapsChoicePage(context, item, t: context.words)
            )
        }
        let link = try await service.navigation(id, to: chosen, for: context.actor)
        return Responses.seeOther(context, to: link.url)
    }

    /// Stores the first choice of a maps app and opens it.
    @Sendable func chooseMapsApp(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        let app = fields.requireChoice("to", of: MapsApp.self)
        try fields.check()
        guard let app else { throw AppError.notFound }
        let link = try await service.navigation(id, to: app, for: context.actor)
        _ = try await accounts.update(
            ProfileChanges(mapsApp: .set(app)), ifVersion: nil, by: Change(actor: context.actor),
            language: context.language.rawValue
        )
        return try Responses.changed(context, json: { NavigationJSON(link) }, seeOther: link.url)
    }
}

/// The page on which a command was given, and which responds to it.
enum CommandView: String, Sendable {
    case card
    case details
    case tracker

    func path(of item: ID<Item>) -> String {
        switch self {
        case .card: TrackingPath.items
        case .details: TrackingPath.item(item)
        case .tracker: TrackingPath.item(item) + "/tracker"
        }
    }
}

/// The commands that an owner can send to a tracker.
enum OwnerCommand: String, Sendable {
    case activate
    case locate
    case on
    case off
    case ring

    /// Returns the message after the command is queued. A switch command can be undone.
    func toast(for item: Item, _ t: TrackingStrings, _ language: Language) -> ShellToast? {
        let words = ListControlStrings.of(language)
        func text(_ sentence: String) -> String { TrackingStrings.fill(sentence, ["name": item.name]) }
        func undo(by opposite: OwnerCommand) -> String {
            "\(TrackingPath.item(item.id))/commands?undo=\(opposite.rawValue)"
        }
        switch self {
        case .activate: return nil
        case .locate: return ShellToast(text(t.details.locating))
        case .ring: return ShellToast(text(t.details.ringing))
        case .on: return ShellToast(text(words.turningOn), undoURL: undo(by: .off), undoLabel: words.undo)
        case .off: return ShellToast(text(words.turningOff), undoURL: undo(by: .on), undoLabel: words.undo)
        }
    }

    var kind: CommandKind {
        switch self {
        case .activate: .activate
        case .locate: .locate
        case .on: .on
        case .off: .off
        case .ring: .ring
        }
    }
}
