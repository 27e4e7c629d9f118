package import Kernel

extension Package {
    /// Writes what a package says of itself, without its two people, into an object: in the API and in the export
    /// alike. Grams, and minor units of the wallet's currency. What is not known is there as null.
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
