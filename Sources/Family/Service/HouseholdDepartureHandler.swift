package import Kernel
package import Storage

/// Handles people who leave a household, in the transaction of the departure: other apps may have given them access to
/// data of the household.
package protocol HouseholdDepartureHandler: Sendable {
    /// - Parameter person: A parent who leaves or is removed, or a child that is deleted.
    func left(_ person: PersonID, now: Instant, in tx: Transaction) throws
}

/// A server without other apps.
package struct NoDepartureHandler: HouseholdDepartureHandler {
    package init() {}

    /// Does nothing.
    package func left(_ person: PersonID, now: Instant, in tx: Transaction) throws {}
}
