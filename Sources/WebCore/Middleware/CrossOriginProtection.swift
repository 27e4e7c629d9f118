package import HTTPTypes
package import Kernel
import Translations

/// Rejects writes that another website causes a browser to send. It needs no tokens, because browsers send the origin
/// of a request.
package enum CrossOriginProtection {
    /// Accepts safe methods, and writes from our own pages: by `Sec-Fetch-Site`, else by `Origin`. A client that sends
    /// neither header isn't a browser, and sends no cookie unintentionally.
    /// - Throws: `AppError` (forbidden).
    package static func check(_ head: HTTPRequest, origin: String, language: Language = .english) throws {
        switch head.method {
        case .get, .head, .options: return
        default: break
        }
        let fields = head.headerFields
        let isOurs: Bool
        if fields[.secFetchSite] != nil {
            isOurs = !isCrossOrigin(head)
        } else if let sender = fields[.origin] {
            isOurs = sender == origin
        } else {
            isOurs = true
        }
        guard !isOurs else { return }
        let t = Translations.translator(language)
        throw AppError(.forbidden, t("This came from another website. Open the page here and try again."))
    }

    /// Whether the browser says that another website caused the request, by a link, a form or an image. False for a
    /// client that doesn't send `Sec-Fetch-Site`.
    package static func isCrossOrigin(_ head: HTTPRequest) -> Bool {
        guard let site = head.headerFields[.secFetchSite] else { return false }
        return site != "same-origin" && site != "none"
    }
}
