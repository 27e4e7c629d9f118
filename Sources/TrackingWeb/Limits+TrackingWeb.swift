package import Kernel

extension Limits {
    /// The number of items from which the list offers a search.
    package static let searchableItems = 8

    /// Items, sources, safe places and geofences that one person creates in an hour.
    static let trackingObjectsPerHour = 1_500
    /// Commands to trackers of one person in an hour.
    static let commandsPerHour = 600
    /// Invitations to items and live links of one person in an hour.
    static let trackingLinksPerHour = 60
    /// Positions and items that one person shares in an hour, requests for positions, and rules about people.
    static let sharesPerHour = 60
    /// Times in an hour at which one person parks items, or turns their lost mode on.
    static let itemStatesPerHour = 300
}
