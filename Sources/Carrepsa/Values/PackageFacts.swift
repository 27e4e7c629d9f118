package import Kernel

extension Package {
    /// Writes the members that the API and the data export share; both add owner and carrier themselves. Weights are
    /// in grams and amounts in minor units of the wallet's currency. Unknown values are null.
    package func writeFacts(into json: inout JSONText) {
        json.member("id", id)
        json.member("title", title)
        json.member("from", from)
        json.member("to", to)
        route.writeFacts(into: &json)
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
        json.member("requiresPhotos", requiresPhotos)
        json.member("version", version)
    }
}

extension PackageRoute {
    fileprivate func writeFacts(into json: inout JSONText) {
        json.member("size", size?.rawValue)
        json.member("fromPoint", origin.point.map(PointJSON.init))
        json.member("fromArea", origin.area.map(PointJSON.init))
        json.member("fromOpeningTimes", origin.openingTimes)
        json.member("toPoint", destination.point.map(PointJSON.init))
        json.member("toArea", destination.area.map(PointJSON.init))
        json.member("toOpeningTimes", destination.openingTimes)
    }
}

private struct PointJSON: JSONWritable {
    let point: Coordinate

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("latitude", point.latitude)
            json.member("longitude", point.longitude)
        }
    }
}
