package import Kernel

extension Limits {
    /// Live links of one account that are open at once.
    package static let liveLinksPerAccount = 20
    /// Seconds for which a link is listed after it ended.
    package static let liveLinkKeptSeconds: Int64 = 30 * 24 * 60 * 60
    /// Pages that have a link open at once, over all nodes.
    package static let liveViewersPerLink = 20
    /// Pages with links that one network has open at once, on one node.
    package static let liveViewersPerNetwork = 50
    /// Pages with links that are open at once on one node.
    package static let liveViewers = 500
    /// Milliseconds between two reads of the open links. A revoked link's pages end within this time.
    package static let liveLinkPollMilliseconds = 400
    /// Seconds between two heartbeats of an open page, which also refresh its row.
    package static let liveViewerBeatSeconds = 15
    /// Seconds after its last refresh for which an open page counts.
    package static let liveViewerSeconds: Int64 = 45
    /// The distance in metres within which two people have met.
    static let meetingMetres = 50
    /// The maximum accuracy in metres of positions that show a meeting.
    static let meetingAccuracyMetres: Double = 50
    /// The maximum age in seconds of the shared position that shows a meeting.
    static let meetingSeconds: Double = 2 * 60
}
