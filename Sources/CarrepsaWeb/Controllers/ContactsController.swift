import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Storage
import WebCore

/// `/carrepsa/people/{id}`: the other person of a delivery.
struct ContactsController: Sendable {
    let contacts: ContactService

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get("people/{id}", use: show) }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try await contacts.person(context.id("id", of: Person.self), for: context.actor)
        let package = context.query("package").flatMap { ID<Package>($0) }
        return try Responses.of(
            context, template: "carrepsa-person", fragment: "carrepsa-person-rows",
            page: { ContactPage(context, person, package: package, t: context.t) },
            json: { OtherPartyJSON(person) }
        )
    }
}
