import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import Logging
import NIOCore

/// What makes the pages an app that opens without a connection: the service worker, and the page that it shows instead
/// of one that was never seen.
struct OfflineRoutes: Sendable {
    let web: Web

    func add(to routes: Routes) {
        routes.device.get("/service-worker.js", use: worker)
        routes.open.get("/offline", use: page)
    }

    /// What the worker's script is told by the server. The browser compares the script byte by byte, so a changed file
    /// is a new worker.
    struct Settings: Encodable {
        /// Names the cache of this build.
        let version: String
        /// Where its static files lie.
        let folder: String
        /// What is fetched at once, and the first 16 hexadecimal digits of each one's SHA-256.
        let assets: [String: String]
        /// Pages of one account at the most.
        let pages: Int
        /// Pictures of one account at the most.
        let pictures: Int
    }

    private static let scripts = ["js/queue.js", "js/worker-offline.js", "js/worker-push.js"]

    static func settings(_ files: StaticFiles, pages: Int = Limits.offlinePages) -> Settings {
        let assets = files.tags.filter { isNeededAtOnce($0.key, of: files) }
        return Settings(
            version: files.version, folder: files.folder, assets: assets, pages: pages,
            pictures: Limits.offlinePictures
        )
    }

    /// Everything that any page needs to look right and to work. The map, the reader of QR codes and the large icons
    /// are kept when they are first used; the sprite never is, as pages bring their icons.
    private static func isNeededAtOnce(_ name: String, of files: StaticFiles) -> Bool {
        if files.standIns.contains(name) { return false }
        if name == Icons.sprite { return false }
        if name.hasPrefix("js/qr/") || name == "vendor/leaflet.js" || name.hasPrefix("vendor/world") { return false }
        return [".css", ".js", ".svg"].contains { name.hasSuffix($0) }
    }

    @Sendable private func worker(_ request: Request, _ context: AppContext) async throws -> Response {
        // The text changes with each file and each limit: that is how a browser finds an update.
        let script = try Self.script(web.files)
        let tag = Self.tag(of: script)
        var headers = HTTPFields()
        headers[.cacheControl] = "no-cache"
        headers[.eTag] = tag
        if request.headers[.ifNoneMatch]?.contains(tag) ?? false {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "text/javascript; charset=utf-8"
        headers[.contentSecurityPolicy] = "default-src 'none'; script-src 'self'; connect-src 'self'"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: script)))
    }

    static func tag(of script: String) -> String {
        let hash = SHA256.hash(data: Array(script.utf8))
        return "\"\(StaticFiles.hexadecimal(hash.prefix(8)))\""
    }

    static func script(_ files: StaticFiles, pages: Int = Limits.offlinePages) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let settings = String(decoding: try encoder.encode(Self.settings(files, pages: pages)), as: UTF8.self)
        let present = Set(files.names)
        let parts = Self.scripts.filter { present.contains($0) }.map { "\"\(files.folder)/\($0)\"" }
        return """
            self.assets = "\(files.folder)";
            self.homeward = \(settings);
            importScripts(\(parts.joined(separator: ", ")));

            """
    }

    @Sendable private func page(_ request: Request, _ context: AppContext) async throws -> Response {
        // Kept for whoever uses this browser, so it shows nobody in particular.
        var nobodys = context
        nobodys.identity = nil
        let page = OfflinePage(nobodys)
        return try Answer.page(nobodys, template: "offline", page)
    }
}

/// Stands in for a page that can't be shown: no connection and never seen, or locked.
struct OfflinePage {
    let shell: Shell
    let t: OfflineStrings

    init(_ context: AppContext) {
        t = OfflineStrings.of(context.language)
        shell = Shell(
            context, title: t.missingTitle, menu: AppMenu.bare, isLargeTitle: false,
            isNarrow: true
        )
    }
}
