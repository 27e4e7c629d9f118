import Carrepsa
import Kernel
import WebCore

/// One of the two people of a package, as clients read it; nulls stand for somebody who left.
private struct PartyJSON: WritesJSON {
    let party: Party

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", party.id)
            json.member("name", party.name)
        }
    }
}

/// A package as clients read it.
struct PackageJSON: WritesJSON {
    private let package: Package

    init(_ package: Package) { self.package = package }

    func write(to json: inout JSONText) { json.object(writeMembers) }

    fileprivate func writeMembers(into json: inout JSONText) {
        package.writeFacts(into: &json)
        json.member("funded", package.funded)
        json.member("owner", PartyJSON(party: package.owner))
        json.member("carrier", package.carrier.map(PartyJSON.init))
    }
}

/// A package with what the asker is to it and may do with it.
struct PackageViewJSON: WritesJSON {
    private let view: PackageView

    init(_ view: PackageView) { self.view = view }

    func write(to json: inout JSONText) {
        json.object { json in
            PackageJSON(view.package).writeMembers(into: &json)
            json.member("role", view.role.rawValue)
            json.name("actions")
            json.list { json in
                for action in view.actions { json.value(action.rawValue) }
            }
            json.name("blocked")
            json.object { json in
                for (action, reason) in view.blocked {
                    json.name(text: action.rawValue)
                    json.value(reason.rawValue)
                }
            }
            json.name("story")
            json.list { json in
                for entry in view.story { json.value(StoryJSON(entry: entry)) }
            }
        }
    }
}

/// Something that happened to a package, as clients read it.
private struct StoryJSON: WritesJSON {
    let entry: StoryEntry

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("at", entry.at)
            switch entry.event {
            case .action(let action): json.member("event", action.rawValue)
            case .rewardNotFunded: json.member("event", "rewardNotFunded")
            }
            json.member("role", entry.role.rawValue)
            json.member("name", entry.byName)
            json.member("note", entry.note)
        }
    }
}

/// A package in dispute, as operators read it.
struct DisputeJSON: WritesJSON {
    private let package: Package

    init(_ package: Package) { self.package = package }

    func write(to json: inout JSONText) {
        json.object { json in
            PackageJSON(package).writeMembers(into: &json)
            json.member("disputedBy", package.disputedBy?.rawValue)
            json.member("disputeReason", package.disputeReason)
        }
    }
}

/// A code for a handover, as clients read it.
struct HandoverCodeJSON: Encodable {
    let code: String
    let step: String
    let expiresAt: Instant
    let url: String

    init(_ code: HandoverCode, url: String) {
        self.code = code.code
        step = code.step.rawValue
        expiresAt = code.expiresAt
        self.url = url
    }
}
