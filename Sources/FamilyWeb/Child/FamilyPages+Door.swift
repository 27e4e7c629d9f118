import Accounts
import Family
import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import Logging
import Pictures
import WebCore

/// The routes of signing in by code: the link, the scanner and the sign-in that uses the code up.
extension FamilyPages {
    /// Only shows a confirmation: previews and prefetching of a link must not use its code up.
    @Sendable func showDoor(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = context.query("code")
        do {
            let holder = try await family.childSignIns.holder(ofCode: code, clientAddress: context.clientAddress)
            let avatar = await inlineAvatar(holder.avatarPictureID)
            let page = ChildSignInPage(context, holder, code: code ?? "", avatar: avatar)
            return try Responses.page(context, template: "family-door", page)
        } catch let error as AppError {
            guard let refused = try invalidCodePage(error, context) else { throw error }
            return refused
        }
    }

    @Sendable func signInByCode(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let code = fields.string("code").value
        try fields.check()
        do {
            let entered = try await family.childSignIns.signIn(code: code, device: device(context))
            return try await welcome(entered, context)
        } catch let error as AppError {
            // The scanner stays open and shows the error itself.
            let isScanner = fields.isForm && fields.typed("from") == "scanner"
            guard !isScanner, let refused = try invalidCodePage(error, context) else { throw error }
            return refused
        }
    }

    @Sendable func showScanner(_ request: Request, _ context: AppContext) async throws -> Response {
        let isLetIn = context.identity?.session.isLocked == false
        if isLetIn, context.face == .page { return Responses.seeOther(context, to: FamilyPath.root) }
        return try Responses.page(context, template: "family-scan", fragment: "family-scanner", ScanPage(context))
    }

    /// Returns a page that explains what to do; `nil` for API clients, and for errors that don't concern the code.
    private func invalidCodePage(_ error: AppError, _ context: AppContext) throws -> Response? {
        guard context.face != .json else { return nil }
        switch error.code {
        case .notFound, .throttled, .invalid, .forbidden:
            return try Responses.page(
                context, template: "family-code-dead", status: error.code == .throttled ? .tooManyRequests : .notFound,
                InvalidCodePage(context, isThrottled: error.code == .throttled))
        default: return nil
        }
    }

    private func device(_ context: AppContext) -> DeviceInfo {
        DeviceInfo(
            name: context.deviceName, kind: context.face == .json ? .bearer : .cookie,
            clientAddress: context.clientAddress
        )
    }

    private func welcome(_ entered: ChildSignIn, _ context: AppContext) async throws -> Response {
        guard context.face != .json else {
            return try Responses.json(
                context, ChildSignInJSON(entered), status: .created, version: entered.child.version)
        }
        // Sign out first: the new cookie replaces the old one, and the old session would stay open.
        if let before = context.identity, before.session.kind == .cookie {
            let actor = Actor(person: before.account.id, session: before.session.id, role: before.account.role)
            try await accounts.signOut(actor)
        }
        let hello = FamilyStrings.fill(context.familyStrings.child.door.welcome, ["name": entered.child.name])
        var response = Responses.seeOther(context, to: FamilyPath.root, toast: ShellToast(hello))
        response.startSession(entered.signedIn.token, context)
        return response
    }

    /// Returns a built-in avatar as a `data:` URL, because a visitor who isn't signed in can't load pictures.
    private func inlineAvatar(_ id: ID<Picture>?) async -> String? {
        guard let id, BuiltinAvatars.contains(id),
            let file = try? await pictures.data(id, size: .small, for: BuiltinAvatars.owner)
        else { return nil }
        return "data:\(file.mediaType);base64,\(Data(file.bytes).base64EncodedString())"
    }
}

/// A sign-in by code in the JSON API.
struct ChildSignInJSON: Encodable {
    let child: ChildJSON
    let token: String

    init(_ entered: ChildSignIn) {
        child = ChildJSON(entered.child)
        token = entered.signedIn.token
    }
}

/// The page *Is that you?*
struct ChildSignInPage: Sendable {
    let shell: Shell
    let t: FamilySignInStrings
    let code: String
    let holderName: String
    let holderTheme: String
    /// A `data:` URL; `nil` without a built-in avatar.
    let avatarData: String?
    let initial: String
    let signInAs: String
    /// The name of the person who is signed in in this browser now.
    let signedInAs: String?
    let elsewhereURL: String

    init(_ context: AppContext, _ holder: CodeHolder, code: String, avatar: String?) {
        let words = context.familyStrings
        t = words.child.door
        shell = Shell(
            context, title: words.child.door.title, menu: .familySignedOut(words), isNarrow: true, hasTabs: false)
        self.code = code
        holderName = holder.name
        holderTheme = holder.theme
        avatarData = avatar
        initial = holder.name.first.map(String.init) ?? ""
        signInAs = FamilyStrings.fill(words.child.door.signInAs, ["name": holder.name])
        signedInAs = context.identity.map {
            FamilyStrings.fill(words.child.door.signedInAs, ["name": $0.account.name])
        }
        elsewhereURL = context.identity == nil ? FamilyPath.door : FamilyPath.root
    }
}

/// The page for an invalid sign-in code, which says what to do next.
struct InvalidCodePage: Sendable {
    let shell: Shell
    let t: FamilySignInStrings
    let problem: String
    let isThrottled: Bool
    let isSignedIn: Bool
    let scanURL: String
    let homeURL: String
    let homeLabel: String

    init(_ context: AppContext, isThrottled: Bool) {
        let words = context.familyStrings
        t = words.child.door
        shell = Shell(
            context, title: words.child.door.deadTitle, menu: .familySignedOut(words), isNarrow: true, hasTabs: false)
        self.isThrottled = isThrottled
        problem = isThrottled ? words.child.door.scanThrottled : words.child.door.deadText
        isSignedIn = context.identity != nil
        scanURL = FamilyPath.scan
        homeURL = isSignedIn ? FamilyPath.root : FamilyPath.door
        homeLabel = isSignedIn ? words.child.door.deadHome : words.child.door.signInPage
    }
}

/// The scanner as a page. Scripts show it as a dialog over the sign-in page.
struct ScanPage: Sendable {
    let shell: Shell
    let t: FamilySignInStrings
    let cameraDenied: String
    let cameraMissing: String
    let cameraBusy: String
    let siteURL: String
    let signInURL: String
    let closeURL: String

    init(_ context: AppContext) {
        let words = context.familyStrings
        t = words.child.door
        shell = Shell(
            context, title: words.child.door.scanTitle, menu: .familySignedOut(words), isLargeTitle: false,
            isNarrow: true,
            hasTabs: false, back: ShellBack(url: FamilyPath.door, label: words.child.door.signInPage)
        )
        let strings = ShellStrings.of(context.language)
        cameraDenied = strings.cameraDenied
        cameraMissing = strings.cameraMissing
        cameraBusy = strings.cameraBusy
        siteURL = context.site.url
        signInURL = FamilyPath.codeSignIn
        closeURL = FamilyPath.door
    }
}
