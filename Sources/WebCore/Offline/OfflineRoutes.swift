import Crypto
import HTTPTypes
import Hummingbird
import Kernel
import Logging
import NIOCore

/// Makes the pages an app that opens without a connection: the service worker, and its fallback page for pages that
/// aren't cached.
struct OfflineRoutes: Sendable {
    /// The page that the worker stores and shows without a connection.
    static let page = "/offline"

    static let worker = "/service-worker.js"

    let web: Web

    func add(to routes: Routes) {
        routes.device.get(RouterPath(Self.worker), use: worker)
        routes.open.get(RouterPath(Self.page), use: page)
    }

    /// The settings that the server writes into the worker's script. The browser compares the script byte by byte, so a
    /// changed file makes a new worker.
    struct Settings: Encodable {
        /// Names the cache of this build.
        let version: String
        /// The folder of the build's static files.
        let folder: String
        /// The files to cache at installation, and the first 16 hexadecimal digits of each file's SHA-256.
        let assets: [String: String]
        /// The maximum number of cached pages of one account.
        let pages: Int
        /// The maximum number of cached pictures of one account.
        let pictures: Int
    }

    private static let scripts = ["js/queue.js", "js/worker-offline.js", "js/worker-push.js"]

    static func settings(_ files: StaticFiles, pages: Int = Limits.offlinePages) -> Settings {
        let assets = files.tags.filter { isPrecached($0.key, of: files) }
        return Settings(
            version: files.version, folder: files.folder, assets: assets, pages: pages,
            pictures: Limits.offlinePictures
        )
    }

    /// Whether every page needs the file. The map, the QR code reader and the large icons are cached when they are
    /// first used; the sprite never is, because pages contain their icons.
    private static func isPrecached(_ name: String, of files: StaticFiles) -> Bool {
        if files.standIns.contains(name) { return false }
        if name == Icons.sprite { return false }
        if name.hasPrefix("js/qr/") || name == "vendor/leaflet.js" || name.hasPrefix("vendor/world") { return false }
        return [".css", ".js", ".svg"].contains { name.hasSuffix($0) }
    }

    @Sendable private func worker(_ request: Request, _ context: AppContext) async throws -> Response {
        // The text changes with each file and each limit, so that browsers find an update.
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
        return "\"\(Hexadecimal.encoded(hash.prefix(8)))\""
    }

    static func script(_ files: StaticFiles, pages: Int = Limits.offlinePages) throws -> String {
        let settings = String(decoding: try Self.settings(files, pages: pages).json(), as: UTF8.self)
        let present = Set(files.names)
        let parts = Self.scripts.filter { present.contains($0) }.map { "\"\(files.folder)/\($0)\"" }
        return """
            self.assets = "\(files.folder)";
            self.homeward = \(settings);
            importScripts(\(parts.joined(separator: ", ")));

            """
    }

    @Sendable private func page(_ request: Request, _ context: AppContext) async throws -> Response {
        // Cached for every user of this browser, so it contains no personal data.
        var signedOutContext = context
        signedOutContext.identity = nil
        let page = OfflinePage(signedOutContext)
        return try Responses.page(signedOutContext, template: "offline", page)
    }
}

/// Replaces a page that can't be shown: without a connection and not cached, or locked.
struct OfflinePage {
    let shell: Shell

    init(_ context: AppContext) {
        shell = Shell(
            context, title: context.t("No connection"), menu: AppMenu.bare, isLargeTitle: false,
            isNarrow: true
        )
    }
}
