import Accounts
import Family
import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import Logging
import Pictures
import WebCore

/// `/family/sign-in`: the link of a code, and the sign-in that uses the code up.
struct ChildSignInController: Sendable {
    let signIns: ChildSignInService
    let sessions: SessionService
    let pictures: PictureLibrary

    func addRoutes(to open: RouterGroup<AppContext>) {
        open.get("sign-in", use: new)
        open.post("sign-in", use: create)
    }

    /// Only shows a confirmation: previews and prefetching of a link must not use its code up.
    @Sendable func new(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = context.query("code")
        do {
            let holder = try await signIns.holder(ofCode: code, clientAddress: context.clientAddress)
            let avatar = await inlineAvatar(holder.avatarPictureID)
            let page = ChildSignInPage(context, holder, code: code ?? "", avatar: avatar)
            return try Responses.page(context, template: "family-sign-in", page)
        } catch let error as AppError {
            guard let refused = try invalidCodePage(error, context) else { throw error }
            return refused
        }
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let code = fields.string("code").value
        try fields.check()
        do {
            let signIn = try await context.web.metrics.countingFailures(of: .code) {
                try await signIns.signIn(code: code, device: device(context))
            }
            return try await response(to: signIn, context)
        } catch let error as AppError {
            // The scanner stays open and shows the error itself.
            let isScanner = fields.isForm && fields.typed("from") == "scanner"
            guard !isScanner, let refused = try invalidCodePage(error, context) else { throw error }
            return refused
        }
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

    private func response(to signIn: ChildSignIn, _ context: AppContext) async throws -> Response {
        guard context.face != .json else {
            return try Responses.json(
                context, ChildSignInJSON(signIn), status: .created, version: signIn.child.version)
        }
        try await context.endReplacedSession(sessions)
        let hello = context.t("Hi, {name}!", ["name": signIn.child.name])
        var response = Responses.seeOther(
            context, to: signIn.hasChoresDue ? FamilyPath.today : FamilyPath.root, toast: ShellToast(hello))
        response.startSession(signIn.signedIn.token, context)
        return response
    }

    /// Returns a built-in avatar as a `data:` URL, because a visitor who isn't signed in can't load pictures.
    private func inlineAvatar(_ id: ID<Picture>?) async -> String? {
        guard let id, BuiltinPictures.contains(id),
            let file = try? await pictures.data(id, size: .small, for: BuiltinPictures.owner)
        else { return nil }
        return "data:\(file.mediaType);base64,\(Data(file.bytes).base64EncodedString())"
    }
}
