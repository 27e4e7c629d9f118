package import Kernel

extension MoneySplit: JSONWritable {
    /// Writes the division as an object.
    package func write(to json: inout JSONText) { json.object(writeMembers) }

    /// Writes the members that the API and the data export share, in minor units.
    package func writeMembers(into json: inout JSONText) {
        json.member("rewardToCarrier", rewardToCarrier)
        json.member("depositToOwner", depositToOwner)
    }
}
