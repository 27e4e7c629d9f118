import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The paths of this module's pages.
enum FamilyPath {
    static let root = "/family"
    static let myPosition = "/my-position"
    static let menu = "/family/menu"
    static let children = "/family/children"
    static let newChild = "/family/children/new"
    static let chores = "/family/chores"
    static let newChore = "/family/chores/new"
    static let starterChores = "/family/starter-chores"
    static let setup = "/family/setup"
    static let newSetup = "/family/setup/new"
    static let firstSteps = "/family/first-steps"
    static let today = "/family/today"
    static let waiting = "/family/requests"
    static let approvals = "/family/requests/approvals"
    static let swaps = "/family/swaps"
    static let pauses = "/family/pauses"
    static let shop = "/family/shop"
    static let newReward = "/family/shop/new"
    static let parents = "/family/parents"
    static let deletedChildren = "/family/deleted-children"
    static let invitations = "/family/invitations"
    static let account = "/family/account"
    static let editAccount = "/family/account/edit"
    /// The sign-in page, which returns to Family.
    static let signIn = "/sign-in?return=%2Ffamily"
    static let scan = "/family/scan"
    static let codeSignIn = "/family/sign-in"
    /// The sign-in page.
    static let accountSignIn = "/sign-in"
    static let register = "/register?app=family&return=%2Ffamily"

    static let tablets = "/family/tablets"
    static let tabletCodes = "/family/tablets/codes"
    /// The page of a shared tablet.
    static let tablet = SharedDevicePath.page

    static func tablet(_ id: ID<Tablet>) -> String { "\(tablets)/\(id)" }
    /// A child's page on a shared tablet.
    static func tabletChild(_ id: PersonID) -> String { "\(tablet)/children/\(id)" }
    static func tabletRequests(of id: PersonID) -> String { tabletChild(id) + "/requests" }
    static func tabletDone(_ chore: ID<Chore>, of child: PersonID) -> String {
        tabletChild(child) + "/chores/\(chore)"
    }
    static func tabletTurn(of chore: ID<Chore>, on date: String, for child: PersonID) -> String {
        tabletChild(child) + "/turns/\(chore)/\(date)"
    }
    static func picturePIN(of id: PersonID) -> String { child(id) + "/picture-pin" }

    static func child(_ id: PersonID) -> String { "\(children)/\(id)" }
    static func editChild(_ id: PersonID) -> String { child(id) + "/edit" }
    static func position(of person: PersonID) -> String { "/tracking/people/\(person)" }
    static func childMenu(_ id: PersonID) -> String { child(id) + "/menu" }
    static func contracts(of id: PersonID) -> String { child(id) + "/contracts" }
    static func newContract(of id: PersonID) -> String { contracts(of: id) + "/new" }
    static func assignments(of id: PersonID) -> String { child(id) + "/assignments" }
    static func newAssignments(of id: PersonID) -> String { assignments(of: id) + "/new" }
    static func requests(of id: PersonID) -> String { child(id) + "/requests" }
    static func request(_ id: ID<ChoreRequest>, of child: PersonID) -> String { "\(requests(of: child))/\(id)" }
    static func reward(_ id: ID<ShopReward>) -> String { "\(shop)/\(id)" }
    static func goal(of id: PersonID) -> String { child(id) + "/goal" }
    static func wishes(of id: PersonID) -> String { child(id) + "/wishes" }
    static func wish(_ id: ID<Wish>, of child: PersonID) -> String { "\(wishes(of: child))/\(id)" }
    static func newReward(granting wish: Wish) -> String { "\(newReward)?child=\(wish.childID)&wish=\(wish.id)" }
    static func purchases(of id: PersonID) -> String { child(id) + "/purchases" }
    static func purchase(_ id: ID<Purchase>, of child: PersonID) -> String { "\(purchases(of: child))/\(id)" }
    static func parent(_ id: PersonID) -> String { "\(parents)/\(id)" }
    static func deletedChild(_ id: PersonID) -> String { "\(deletedChildren)/\(id)" }
    static func devices(of id: PersonID) -> String { child(id) + "/devices" }
    static func signInCodes(of id: PersonID) -> String { child(id) + "/sign-in-codes" }
    /// The page of the code after the set-up.
    static func signInCodesAfterSetup(of id: PersonID) -> String { signInCodes(of: id) + "?from=setup" }
    static func chore(_ id: ID<Chore>) -> String { "\(chores)/\(id)" }
    static func done(_ id: ID<Chore>) -> String { chore(id) + "/requests/new" }
    static func schedule(of id: ID<Chore>) -> String { chore(id) + "/schedule" }
    static func skip(_ chore: ID<Chore>, on date: String) -> String { self.chore(chore) + "/skips/\(date)" }
    static func pause(_ id: ID<Pause>) -> String { "\(pauses)/\(id)" }
    static func swap(_ id: ID<TurnSwap>) -> String { "\(swaps)/\(id)" }
    static func swaps(of id: PersonID) -> String { child(id) + "/swaps" }
    static func newSwap(of id: PersonID, _ chore: ID<Chore>, on date: String) -> String {
        swaps(of: id) + "/new?turn=" + PercentEncoding.encoded("\(chore) \(date)")
    }
    static func turn(of chore: ID<Chore>, on date: String, for child: PersonID) -> String {
        "\(self.child(child))/turns/\(chore)/\(date)"
    }
    static func picture(_ id: ID<Picture>, size: PictureSize) -> String { "/pictures/\(id)?size=\(size.rawValue)" }
    static func device(_ device: ID<Session>, of id: PersonID) -> String { "\(devices(of: id))/\(device)" }
    static func codeSignIn(_ code: String) -> String { "\(codeSignIn)?code=\(PercentEncoding.encoded(code))" }
    static func invitation(_ code: String) -> String { "\(invitations)/\(PercentEncoding.encoded(code))" }
}
