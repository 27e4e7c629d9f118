package import HTTPTypes
import Kernel

/// Refuses writes that another website makes a browser send. No tokens: browsers say where a request comes from.
package enum CrossOriginProtection {
    /// Lets safe methods through, and a write only from our own pages: by `Sec-Fetch-Site`, else by `Origin`. A client
    /// that sends neither is no browser, and has no cookie that it didn't mean to send.
    /// - Throws: `AppError` (forbidden).
    package static func check(_ head: HTTPRequest, origin: String, language: Language = .english) throws {
        switch head.method {
        case .get, .head, .options: return
        default: break
        }
        let fields = head.headerFields
        let isOurs: Bool
        if fields[.secFetchSite] != nil {
            isOurs = !isFromElsewhere(head)
        } else if let sender = fields[.origin] {
            isOurs = sender == origin
        } else {
            isOurs = true
        }
        guard isOurs else { throw AppError(.forbidden, WebStrings.of(language).crossOrigin) }
    }

    /// Whether a browser says that another website made it ask, by a link, a form or a picture. Not of a client that
    /// says nothing.
    package static func isFromElsewhere(_ head: HTTPRequest) -> Bool {
        guard let site = head.headerFields[.secFetchSite] else { return false }
        return site != "same-origin" && site != "none"
    }
}
