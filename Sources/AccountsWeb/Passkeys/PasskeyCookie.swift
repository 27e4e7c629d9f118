import Accounts
import Hummingbird
import Kernel
import WebCore

/// The cookie that binds a challenge to the browser that requested it before the sign-in.
enum PasskeyCookie {
    private static func name(_ site: Site) -> String { site.isSecure ? "__Host-homeward-passkey" : "homeward-passkey" }

    static func value(_ context: some WebContext) -> String? { context.cookie(name(context.site)) }

    static func set(_ value: String, on response: inout Response, _ context: some WebContext) {
        append("\(value); Max-Age=\(Limits.passkeyChallengeSeconds)", to: &response, context)
    }

    static func clear(on response: inout Response, _ context: some WebContext) {
        guard value(context) != nil else { return }
        append("; Max-Age=0", to: &response, context)
    }

    // Strict: no request with this cookie comes from another website.
    private static func append(_ content: String, to response: inout Response, _ context: some WebContext) {
        let security = context.site.isSecure ? "; Secure" : ""
        let cookie = "\(name(context.site))=\(content); Path=/; HttpOnly; SameSite=Strict\(security)"
        response.headers[values: .setCookie].append(cookie)
    }
}
