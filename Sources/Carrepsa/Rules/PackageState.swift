/// Where a package stands.
package enum PackageState: String, Sendable, CaseIterable {
    /// Offered to everybody.
    case available
    /// Somebody will fetch it; reward and money lock are both held.
    case accepted
    /// The carrier has it; reward and money lock are both held.
    case travelling
    /// It arrived, and the carrier was paid.
    case delivered
    /// It was withdrawn or given up; all money went back.
    case cancelled

    /// Whether nothing can happen to the package any more.
    package var isFinished: Bool { self == .delivered || self == .cancelled }
    /// Whether two people have to do with each other: reward and money lock are held, contact details are open.
    package var isUnderWay: Bool { self == .accepted || self == .travelling }
}

/// What somebody is to a package.
package enum PackageRole: String, Sendable, CaseIterable {
    /// Posted it.
    case owner
    /// Accepted it.
    case carrier
    /// Neither.
    case stranger
    /// Decides where the two disagree; never one of them.
    case `operator`
    /// The passing of time.
    case clock
}

/// What can be done with a package.
package enum PackageAction: String, Sendable, CaseIterable {
    /// The owner offers it.
    case post
    /// The owner takes the offer back.
    case withdraw
    /// A carrier takes it on.
    case accept
    /// Owner or carrier step back before the pickup.
    case cancelAcceptance
    /// It was handed to the carrier.
    case confirmPickup
    /// The carrier says that it has arrived.
    case reportDelivery
    /// It arrived.
    case confirmDelivery
    /// One of the two wants to give up the journey.
    case requestCancellation
    /// Who wanted to give up doesn't any more.
    case retractCancellation
    /// The other one agrees to give up.
    case agreeCancellation
    /// One of the two asks an operator to decide.
    case dispute
    /// One of the two adds a statement to a dispute.
    case addStatement
    /// The operator: it arrived.
    case decideDelivered
    /// The operator: everybody gets their money back.
    case decideRefunded
    /// The operator: the carrier lost it.
    case decideLost
    /// Nobody accepted or picked it up by its deadline: everybody gets their money back.
    case expire
    /// Nobody answered the carrier's report for ``Limits/deliveryReportSeconds``: an operator is asked.
    case escalate
}
