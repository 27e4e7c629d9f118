import Carrepsa
import Kernel
import WebCore

/// A trip with the offers on its way, the most reward for each extra kilometre first.
struct TripMatchesJSON: JSONWritable {
    let trip: Trip
    let matches: [TripMatch]

    func write(to json: inout JSONText) {
        json.object { json in
            trip.writeMembers(into: &json)
            json.name("matches")
            json.list { json in
                for match in matches { json.value(TripMatchJSON(match: match)) }
            }
        }
    }
}

private struct TripMatchJSON: JSONWritable {
    let match: TripMatch

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("package", PackageJSON(match.package))
            json.member("extraMetres", Int64(match.extraMetres.rounded()))
            json.member("rewardPerKilometre", Int64(match.rewardPerKilometre.rounded()))
            json.member("byRoad", match.isByRoad)
        }
    }
}
