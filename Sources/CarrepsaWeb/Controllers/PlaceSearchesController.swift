import Carrepsa
import Hummingbird
import Kernel
import MapServices
import WebCore

/// `/carrepsa/place-searches`: the places that a typed address may mean. It stores nothing.
struct PlaceSearchesController: Sendable {
    let searches: PlaceSearchService

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.post("place-searches", use: create) }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let text = fields.string("text").value
        let found = try await searches.places(text, language: context.language, for: context.actor)
        return Responses.json(context, ListJSON(items: found.map(FoundPlaceJSON.init), next: nil))
    }
}

/// A found place.
private struct FoundPlaceJSON: JSONWritable {
    let place: FoundPlace

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("name", place.name)
            json.member("latitude", place.point.latitude)
            json.member("longitude", place.point.longitude)
        }
    }
}
