import Carrepsa
import Kernel
import WebCore

/// The JSON of an owner or carrier; id and name are null for deleted accounts.
private struct PartyJSON: JSONWritable {
    let party: Party

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", party.id)
            json.member("name", party.name)
        }
    }
}

/// The JSON of a package.
struct PackageJSON: JSONWritable {
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

/// The JSON of a package with the reader's role and possible actions.
struct PackageDetailsJSON: JSONWritable {
    private let details: PackageDetails

    init(_ details: PackageDetails) { self.details = details }

    func write(to json: inout JSONText) {
        json.object { json in
            PackageJSON(details.package).writeMembers(into: &json)
            json.member("role", details.role.rawValue)
            json.name("actions")
            json.list { json in
                for action in details.actions { json.value(action.rawValue) }
            }
            json.name("blocked")
            json.object { json in
                for (action, reason) in details.blocked {
                    json.name(text: action.rawValue)
                    json.value(reason.rawValue)
                }
            }
            json.member("dispute", details.dispute.map(DisputeStateJSON.init))
            json.name("proofs")
            json.list { json in
                for proof in details.proofs { json.value(ProofJSON(proof: proof)) }
            }
            json.name("story")
            json.list { json in
                for entry in details.history { json.value(PackageHistoryJSON(entry: entry)) }
            }
        }
    }
}

/// The JSON of a history entry.
private struct PackageHistoryJSON: JSONWritable {
    let entry: PackageHistoryEntry

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
            json.member("split", entry.split)
            json.member("pictureId", entry.pictureID)
        }
    }
}

/// The JSON of the dispute about a package, for its owner and carrier and administrators.
private struct DisputeStateJSON: JSONWritable {
    let dispute: Dispute

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("kind", dispute.kind.rawValue)
            json.member("statementsUntil", dispute.statementsUntil)
            json.member("awaited", dispute.awaited?.rawValue)
            json.member("offer", dispute.offer.map(OfferJSON.init))
            json.member("decision", dispute.decision.map(DecisionJSON.init))
            json.member("appealedBy", dispute.appeal?.by.rawValue)
            json.member("appealedAt", dispute.appeal?.at)
        }
    }

    private struct OfferJSON: JSONWritable {
        let offer: Dispute.Offer

        func write(to json: inout JSONText) {
            json.object { json in
                json.member("by", offer.by.rawValue)
                offer.split.writeMembers(into: &json)
            }
        }
    }

}

/// The JSON of an administrator's decision.
private struct DecisionJSON: JSONWritable {
    let decision: Dispute.Decision

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("outcome", decision.outcome.rawValue)
            decision.split.writeMembers(into: &json)
            json.member("at", decision.at)
            json.member("effectiveAt", decision.effectiveAt)
            json.member("acceptedBy", decision.acceptedBy?.rawValue)
        }
    }
}

/// The JSON of a dispute in a list for administrators.
struct DisputeJSON: JSONWritable {
    private let dispute: DisputeCase

    init(_ dispute: DisputeCase) { self.dispute = dispute }

    func write(to json: inout JSONText) {
        let package = dispute.package
        json.object { json in
            PackageJSON(package).writeMembers(into: &json)
            json.member("disputedBy", package.disputedBy?.rawValue)
            json.member("disputeReason", package.disputeReason)
            json.member("decision", dispute.decision.map(DecisionJSON.init))
            json.member("decisionReason", dispute.reason)
        }
    }
}

/// The JSON of a handover code.
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

/// The JSON of a photo of a handover.
private struct ProofJSON: JSONWritable {
    let proof: PackageProof

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("number", proof.number)
            json.member("step", proof.step.rawValue)
            json.member("at", proof.at)
            json.member("role", proof.role.rawValue)
            json.member("pictureId", proof.pictureID)
            json.member("note", proof.note)
            json.member("digest", proof.digest)
        }
    }
}
