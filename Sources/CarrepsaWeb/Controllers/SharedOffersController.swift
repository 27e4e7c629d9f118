import Carrepsa
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// `/offers/{id}/{secret}`: the public page of an open offer, without authentication. A wrong address and an offer that
/// has ended get the same response.
struct SharedOffersController: Sendable {
    let links: OfferLinkService
    let currency: Currency

    func addRoutes(to routes: RouteGroup<AppContext>) { routes.get("/offers/{id}/{secret}", use: show) }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        var response: Response
        do {
            let offer = try await links.offer(
                context.id("id", of: Package.self), secret: context.text("secret"))
            let formatter = context.carrepsaFormatter(currency)
            response = try Responses.of(
                context, template: "carrepsa-offer",
                page: { SharedOfferPage(context, offer, t: context.t, formatter: formatter) },
                json: { SharedOfferJSON(offer: offer) })
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            response = try Responses.page(
                context, template: "carrepsa-offer-gone", status: .notFound, SharedOfferGonePage(context))
        }
        response.headers[.robots] = "noindex, nofollow"
        return response
    }
}

/// The JSON of a shared offer.
struct SharedOfferJSON: JSONWritable {
    let offer: SharedOffer

    func write(to json: inout JSONText) {
        let package = offer.package
        json.object { json in
            json.member("title", package.title)
            json.member("owner", offer.ownerFirstName)
            json.member("from", package.from)
            json.member("to", package.to)
            json.member("size", package.route.size?.rawValue)
            json.member("weight", package.weightGrams)
            json.member("reward", package.reward)
            json.member("moneyLock", package.moneyLock)
            json.member("deadline", package.deadline)
        }
    }
}
