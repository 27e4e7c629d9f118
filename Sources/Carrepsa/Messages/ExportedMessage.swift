import Kernel

/// A message in the data export of its author.
struct ExportedMessage: JSONWritable {
    private let message: PackageMessage
    private let title: String

    init(_ message: PackageMessage, _ title: String) {
        self.message = message
        self.title = title
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", message.id.description)
            json.member("at", message.at)
            json.member("package", title)
            json.member("text", message.text)
            json.member("pictureId", message.pictureID?.description)
            json.member("latitude", message.place.map { "\($0.latitude)" })
            json.member("longitude", message.place.map { "\($0.longitude)" })
        }
    }
}

/// A blocked person in the data export.
struct ExportedBlock: Encodable {
    let name: String
    let blockedAt: Instant

    init(_ blocked: BlockedPerson) {
        name = blocked.name
        blockedAt = blocked.blockedAt
    }
}
