package import Kernel

extension Trip: JSONWritable {
    /// Writes the trip as an object.
    package func write(to json: inout JSONText) { json.object(writeMembers) }

    /// Writes the members that the API and the data export share.
    package func writeMembers(into json: inout JSONText) {
        json.member("id", id)
        json.member("from", from)
        json.member("to", to)
        json.member("fromLatitude", start.latitude)
        json.member("fromLongitude", start.longitude)
        json.member("toLatitude", end.latitude)
        json.member("toLongitude", end.longitude)
        json.name("days")
        json.list { json in
            for code in days.codes { json.value(code) }
        }
        json.member("timeZone", timeZone?.identifier)
        json.member("detour", detourMetres / Self.metresPerKilometre)
        json.member("size", size?.rawValue)
        json.member("createdAt", createdAt)
        json.member("version", version)
    }
}
