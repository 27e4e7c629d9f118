/// The response to OwnTracks, which is always a JSON array.
enum OwnTracksResponseBody {
    private static let locate = #"{"_type":"cmd","action":"reportLocation"}"#

    static func encoded(_ commands: [Command]) -> [UInt8] {
        let asksForPlace = commands.contains { $0.kind == .locate }
        return Array((asksForPlace ? "[\(locate)]" : "[]").utf8)
    }
}
