import HTTPTypes
import Hummingbird
import Kernel
import Logging
import MapFiles
import NIOCore

/// `/map/tiles/{z}/{x}/{y}`: the tiles of the map file. They are public, as the pages of live links and of lost items
/// show maps without a session, and they say nothing about the people of this server.
struct MapTilesRoute: Sendable {
    static let prefix = "/map/tiles"
    /// A picture of one transparent pixel, for a place without a tile: an error would look like a broken map.
    static let emptyTile: [UInt8] = [
        0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
        0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 11, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0, 2, 0, 0, 5,
        0, 1, 0xe9, 0xfa, 0xdc, 0xd8, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
    ]

    let file: MapFile?
    let clock: any WallClock
    private let errorInterval = LogInterval(seconds: 60)

    init(file: MapFile?, clock: any WallClock) {
        self.file = file
        self.clock = clock
    }

    func add(to routes: Routes) { routes.device.get("\(Self.prefix)/{z}/{x}/{y}", use: tile) }

    @Sendable private func tile(_ request: Request, _ context: AppContext) async throws -> Response {
        func number(_ name: String) -> Int? {
            guard let text = context.parameters.get(name), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                return nil
            }
            return Int(text)
        }
        guard let file, let zoom = number("z"), let x = number("x"), let y = number("y"),
            let place = TileCoordinate(zoom: zoom, x: x, y: y)
        else { throw AppError.notFound }
        let tag = "\"\(file.version)-\(zoom)-\(x)-\(y)\""
        var headers = HTTPFields()
        headers[.eTag] = tag
        headers[.cacheControl] =
            context.query("v") == file.version ? "public, max-age=31536000, immutable" : "public, no-cache"
        if context.header(.ifNoneMatch)?.contains(tag) ?? false {
            return Response(status: .notModified, headers: headers)
        }
        let found: MapTile?
        do {
            found = try await file.tile(place)
        } catch {
            if !(error is MapFile.Busy), errorInterval.isDue(at: clock.now) {
                context.logger.error(
                    "The map file can't be read", metadata: ["path": "\(file.path)", "error": "\(error)"])
            }
            throw AppError(.unavailable, context.t("Not possible right now. Try again in a moment."))
        }
        headers[.contentType] = found?.format.mediaType ?? TileFormat.png.mediaType
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: found?.bytes ?? Self.emptyTile)))
    }
}
