package import Kernel

extension Package {
    /// Writes the members that the API and the data export share; both add owner and carrier themselves. Weights are
    /// in grams and amounts in minor units of the wallet's currency. Unknown values are null.
    package func writeFacts(into json: inout JSONText) {
        json.member("id", id)
        json.member("title", title)
        json.member("from", from)
        json.member("to", to)
        json.member("weight", weightGrams)
        json.member("reward", reward)
        json.member("moneyLock", moneyLock)
        json.member("description", description)
        json.member("pictureId", pictureID)
        json.member("deadline", deadline)
        json.member("state", state.rawValue)
        json.member("createdAt", createdAt)
        json.member("acceptedAt", acceptedAt)
        json.member("pickedUpAt", pickedUpAt)
        json.member("deliveredAt", deliveredAt)
        json.member("deliveryReportedAt", deliveryReportedAt)
        json.member("cancellationRequestedBy", cancellationRequestedBy?.rawValue)
        json.member("disputedAt", disputedAt)
        json.member("version", version)
    }
}
