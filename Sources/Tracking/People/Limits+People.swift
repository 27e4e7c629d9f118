package import Kernel

extension Limits {
    /// The maximum number of people with whom a person shares their position.
    package static let positionViewers = 20
    /// The maximum number of people whose positions one person sees.
    package static let sharedPeople = 100
    /// The maximum age in seconds of a person's position that others see.
    package static let sharedPositionSeconds: Int64 = 24 * 60 * 60
    /// Seconds within which several views of a person's position by the same viewer count as one.
    package static let viewMergeSeconds: Int64 = 15 * 60
    /// Seconds for which the views of a day are kept.
    package static let viewKeptSeconds: Int64 = 30 * 24 * 60 * 60
    /// The maximum number of views in an export, each of one viewer and day.
    package static let viewsPerExport = 2_000
    /// The newest views that the page shows, each of one viewer and day.
    package static let viewsShown = 50
    /// Seconds after a request to share a position before the same person may ask again.
    package static let positionRequestSeconds: Int64 = 60 * 60
    /// Rules that a person can have about one other person.
    package static let rulesPerPerson = 10
    /// Milliseconds between two checks for sharing whose time is over, while pages are open.
    package static let positionShareCheckMilliseconds = 400
}
