import HTTPTypes
import Hummingbird
import Kernel
import Pictures
import Tracking
import WebCore

/// `/found`: the pages for finders, without authentication. A tracker's token leads to `/found`, and a label's code to
/// `/found/items/{secret}`.
struct FoundItemsController: Sendable {
    let foundItems: FoundItemService
    let pictures: PictureLibrary

    func addRoutes(to routes: RouteGroup<AppContext>) {
        routes.get("/found", use: showTracker)
        routes.post("/found", use: createForTracker)
        routes.get("/found/picture", use: trackerPicture)
        routes.get("/found/items/{secret}", use: showItem)
        routes.post("/found/items/{secret}", use: createForItem)
        routes.get("/found/items/{secret}/picture", use: itemPicture)
        routes.get("/found/reports/{secret}", use: showReport)
    }

    @Sendable func showTracker(_ request: Request, _ context: AppContext) async throws -> Response {
        try await show(.tracker(context), context)
    }

    @Sendable func showItem(_ request: Request, _ context: AppContext) async throws -> Response {
        try await show(.label(context), context)
    }

    @Sendable func createForTracker(_ request: Request, _ context: AppContext) async throws -> Response {
        try await create(.tracker(context), request, context)
    }

    @Sendable func createForItem(_ request: Request, _ context: AppContext) async throws -> Response {
        try await create(.label(context), request, context)
    }

    @Sendable func trackerPicture(_ request: Request, _ context: AppContext) async throws -> Response {
        try await picture(.tracker(context), context)
    }

    @Sendable func itemPicture(_ request: Request, _ context: AppContext) async throws -> Response {
        try await picture(.label(context), context)
    }

    @Sendable func showReport(_ request: Request, _ context: AppContext) async throws -> Response {
        try await translatingErrors(context) {
            do {
                let report = try await foundItems.ownReport(
                    context.text("secret"), clientAddress: context.clientAddress)
                return try Responses.of(
                    context, template: "tracking-own-report", fragment: "tracking-own-report-status",
                    page: { OwnReportPage(context, report, url: context.path) }, json: { OwnReportJSON(report) }
                )
            } catch let error as AppError where error.code == .notFound && context.face != .json {
                return try Responses.page(
                    context, template: "tracking-own-report-gone", fragment: "tracking-own-report-gone-status",
                    status: context.face == .fragment ? .stopPolling : .notFound, OwnReportGonePage(context))
            }
        }
    }

    private func show(_ place: FinderPlace, _ context: AppContext) async throws -> Response {
        try await showingAbsence(context, isLabel: place.reference.isLabel) {
            let found = try await foundItems.found(place.reference, clientAddress: context.clientAddress)
            return try page(found, at: place, typed: nil, error: nil, context)
        }
    }

    private func create(_ place: FinderPlace, _ request: Request, _ context: AppContext) async throws -> Response {
        var typed: FinderFormState?
        return try await showingAbsence(context, isLabel: place.reference.isLabel) {
            do {
                var fields = try await Fields.read(request, context)
                typed = FinderFormState(fields)
                let key = fields.typed("idempotencyKey")
                let input = FinderReportInput(
                    message: fields.string("message").value ?? "",
                    latitude: fields.double("latitude", in: -90...90).value,
                    longitude: fields.double("longitude", in: -180...180).value,
                    accuracyMetres: fields.double("accuracy").value
                )
                try fields.check()
                let secret = try await foundItems.report(
                    input, about: place.reference, key: context.header(.idempotencyKey) ?? key,
                    clientAddress: context.clientAddress)
                let url = TrackingPath.ownReport(secret)
                return try Responses.created(
                    context, location: url, json: { FinderSecretJSON(path: url) }, seeOther: url,
                    toast: ShellToast(context.t("Sent to the owner")))
            } catch let error as AppError where context.face != .json && error.code != .notFound {
                let found = try await foundItems.found(place.reference, clientAddress: context.clientAddress)
                return try page(found, at: place, typed: typed, error: error, context)
            }
        }
    }

    private func page(
        _ found: FoundItem, at place: FinderPlace, typed: FinderFormState?, error: AppError?, _ context: AppContext
    ) throws -> Response {
        let status: HTTPResponse.Status =
            switch error?.code {
            case nil: .ok
            case .throttled: .tooManyRequests
            case .conflict: .conflict
            default: .unprocessableContent
            }
        let lost = found.lost.map { LostItemView($0, at: place) }
        let form = FinderForm(context, at: place, isLost: found.lost != nil, typed: typed, error: error)
        guard let tracker = found.tracker else {
            if context.face == .json { return try Responses.json(context, FoundItemJSON(found.lost)) }
            return try Responses.page(
                context, template: "tracking-found-item", status: status, FoundItemPage(context, lost, form))
        }
        if context.face == .json {
            return try Responses.json(context, FoundTrackerJSON(tracker, lost: found.lost))
        }
        return try Responses.page(
            context, template: "tracking-found", status: status,
            FoundPage(context, tracker, lost: lost, form: lost == nil ? nil : form))
    }

    private func picture(_ place: FinderPlace, _ context: AppContext) async throws -> Response {
        try await translatingErrors(context) {
            let (id, owner) = try await foundItems.picture(place.reference, clientAddress: context.clientAddress)
            let (bytes, mediaType) = try await pictures.data(id, size: .medium, for: owner)
            return Responses.bytes(context, bytes, mediaType: mediaType)
        }
    }

    /// Shows browsers the same page for every kind of invalid address, apart from former labels.
    private func showingAbsence(
        _ context: AppContext, isLabel: Bool, _ body: () async throws -> Response
    ) async throws -> Response {
        try await translatingErrors(context) {
            do {
                return try await body()
            } catch let error as AppError where error.code == .notFound && context.face != .json {
                // Only a label that once worked has a message of its own.
                guard error.message == AppError.notFound.message else {
                    return try Responses.page(
                        context, template: "tracking-label-ended", status: .notFound,
                        EndedLabelPage(context, error))
                }
                return try Responses.page(
                    context, template: "tracking-found", status: .notFound,
                    FoundPage(context, nil, lost: nil, isLabel: isLabel))
            }
        }
    }

    private func translatingErrors(
        _ context: AppContext, _ body: () async throws -> Response
    ) async throws -> Response {
        do {
            var response = try await body()
            response.headers[.robots] = "noindex, nofollow"
            return response
        } catch let error as AppError {
            throw error.translated(to: context.language)
        }
    }
}

/// The address of a finder's page.
struct FinderPlace: Sendable {
    let reference: FinderReference
    /// The address to which the form is sent.
    let url: String
    let pictureURL: String

    static func label(_ context: AppContext) throws -> FinderPlace {
        let secret = try context.text("secret")
        let url = TrackingPath.foundItem(PercentEncoding.encoded(secret))
        return FinderPlace(reference: .label(secret), url: url, pictureURL: url + "/picture")
    }

    static func tracker(_ context: AppContext) -> FinderPlace {
        let token = context.query("e") ?? ""
        let query = "?e=" + PercentEncoding.encoded(token)
        return FinderPlace(reference: .token(token), url: "/found" + query, pictureURL: "/found/picture" + query)
    }
}
