package import Kernel

extension Limits {
    /// The maximum number of people with whom a person shares their position.
    package static let positionViewers = 20
    /// The maximum number of people whose positions one person sees.
    package static let sharedPeople = 100
    /// The maximum age in seconds of a person's position that others see.
    package static let sharedPositionSeconds: Int64 = 24 * 60 * 60
    /// Seconds within which a person's looks at the same position count as one.
    package static let lookMergeSeconds: Int64 = 15 * 60
    /// Seconds for which a look is kept.
    package static let lookKeptSeconds: Int64 = 30 * 24 * 60 * 60
    /// The maximum number of looks that are kept for one person; the oldest ones go first.
    package static let looksPerPerson = 500
    /// The newest looks that the page shows.
    package static let looksShown = 50
    /// Seconds after a request to share a position before the same person may ask again.
    package static let positionRequestSeconds: Int64 = 60 * 60
    /// Rules that a person can have about one other person.
    package static let rulesPerPerson = 10
    /// Milliseconds between two checks for sharing whose time is over, while pages are open.
    package static let positionShareCheckMilliseconds = 400
}
