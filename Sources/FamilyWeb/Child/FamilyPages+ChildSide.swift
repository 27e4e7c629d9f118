import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

extension FamilyPages {
    /// Adds the routes of codes, sign-in by code, devices, invitations, parents and children's requests.
    func addChildRoutes(to routes: Routes) {
        let ways = routes.openWhileLocked.group("/family")
        ways.get("sign-in", use: showDoor)
        ways.post("sign-in", use: signInByCode)
        ways.get("scan", use: showScanner)
        let open = routes.open.group("/family")
        open.get("invitations/{code}", use: showInvitation)

        let everyone = routes.everyone.group("/family")
        everyone.add(middleware: RequiredProfileMiddleware.family)
        everyone.get("themes", use: listThemes)
        everyone.get("children/{id}/devices", use: listDevices)
        everyone.delete("children/{id}/devices/{deviceId}", use: removeDevice)
        everyone.post("children/{id}/requests", use: requestPoints)

        let parents = routes.signedIn.group("/family")
        parents.add(middleware: RequiredProfileMiddleware.family)
        parents.get("children/{id}/sign-in-codes", use: showCodePage)
        parents.post("children/{id}/sign-in-codes", use: makeCode)
        parents.delete("children/{id}/sign-in-codes", use: voidCodes)
        parents.get("children/{id}/sign-in-codes/{codeId}", use: showCodeState)
        parents.get("invitations", use: newInvitation)
        parents.post("invitations", use: invite)
        parents.delete("invitations/{code}", use: revokeInvitation)
        parents.post("parents", use: join)
        parents.get("parents/{id}", use: showParent)
        parents.delete("parents/{id}", use: removeParent)
        parents.put("parents/{id}/removal", use: announceRemoval)
        parents.delete("parents/{id}/removal", use: endRemoval)
    }

    @Sendable func listThemes(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let names = context.familyStrings.child.looks.themes
        let items = Themes.all.map { ThemeJSON(id: $0, name: names[$0] ?? $0) }
        return try Responses.json(context, ListJSON(items: items, next: nil))
    }
}

/// A theme in the JSON API.
struct ThemeJSON: Encodable {
    let id: String
    let name: String
}

extension FamilyPath {
    static let scan = "/family/scan"
    static let codeSignIn = "/family/sign-in"
    static let door = "/sign-in"

    static func device(_ device: ID<Session>, of id: PersonID) -> String { "\(devices(of: id))/\(device)" }
    static func codeSignIn(_ code: String) -> String { "\(codeSignIn)?code=\(PathSegment.encoded(code))" }
    static func invitation(_ code: String) -> String { "\(invitations)/\(PathSegment.encoded(code))" }
}
