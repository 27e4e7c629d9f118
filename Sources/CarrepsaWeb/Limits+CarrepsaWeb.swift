import Kernel

extension Limits {
    /// Offers of one person in a day.
    static let offersPerDay = 100
    /// Trips that one person saves in a day.
    static let tripsPerDay = 50
    /// Payout requests of one person in a day.
    static let payoutRequestsPerDay = 10
    /// Requests to cancel deliveries of one person in an hour: each can be taken back.
    static let cancellationRequestsPerHour = 20
    /// Changes of one person in an hour of who receives their packages: each can send a mail.
    static let recipientChangesPerHour = 60
    /// People that one person blocks in an hour: each can be unblocked.
    static let blocksPerHour = 60
    /// Lines of an offer in the form that accepts it; an offer has about fifteen.
    static let offerLines = 50
}
