import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// The pages on which parents invite each other, leave, and remove each other.
@Suite("Family: pages of several parents")
struct FamilyHouseholdPageTests {
    /// Lets parents join the household of its creator.
    private static func join(_ parents: [FamilyTestClient], _ creator: FamilyTestClient) async throws {
        for parent in parents {
            let code = try #require(try await creator.invitation().text("code"))
            #expect(try await parent.send(.post, "/family/parents", json: ["code": code]).status == 201)
        }
    }

    /// Creates an invitation on its page, and returns the path of its link.
    private static func invite(by parent: FamilyTestClient) async throws -> String {
        let page = try await parent.submit("/family/invitations", ["password": "correct horse"])
        #expect(page.status == 201, "\(page.text)")
        let start = try #require(page.text.firstRange(of: "id=\"invitation-link\" translate=\"no\">"))
        let link = page.text[start.upperBound...].prefix { $0 != "<" }
        let path = try #require(link.firstRange(of: "/family/invitations/"))
        return String(link[path.lowerBound...])
    }

    @Test("A parent joins by an invitation link, which works once")
    func joins() async throws {
        try await withFamilies { site in
            let paula = try await site.parent("Paula")
            _ = try await paula.child("Mia")
            let path = try await Self.invite(by: paula)
            let code = String(path.dropFirst("/family/invitations/".count))
            let otto = try await site.parent("Otto")
            let invitation = try await otto.page(path).text
            #expect(invitation.contains("Paula invites you"))
            #expect(invitation.contains("name=\"code\" value=\"\(code)\"") && invitation.contains(">Join</button>"))
            let joined = try await otto.submit("/family/parents", ["code": code])
            #expect(joined.header("location") == "/family", "\(joined.text)")
            #expect(try joined.toast() == "You are in the family now")
            #expect(try await otto.page("/family").text.contains(">Mia</a>"))
            #expect(try await otto.names("/family/parents") == ["Paula", "Otto"])
            let tina = try await site.parent("Tina")
            #expect(try await tina.send(.post, "/family/parents", json: ["code": code]).status == 404)
        }
    }

    @Test("An open invitation is listed on its page, and its link no longer works once it is revoked")
    func revokes() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let path = try await Self.invite(by: ada)
            let items = try await ada.send(.get, "/family/invitations").object().list("items")
            let id = try #require(items.first?.text("id"))
            let revocation = "/family/invitations/\(id)?_method=delete"
            let listed = try await ada.page("/family/invitations").text
            #expect(listed.components(separatedBy: ">By you</span>").count == 2)
            #expect(listed.contains("aria-label=\"Revoke the invitation, By you\""))
            #expect(listed.contains("action=\"\(revocation)\""))
            let revoked = try await ada.submit(revocation, [:])
            #expect(revoked.header("location") == "/family/invitations")
            #expect(try revoked.toast() == "The invitation was revoked")
            #expect(try await !ada.page("/family/invitations").text.contains("By you"))
            let ben = try await site.parent("Ben")
            for reader in [site.signedOut, ben] {
                let page = try await reader.page(path).text
                #expect(page.contains("This invitation no longer works."), "\(reader.name)")
                #expect(!page.contains(">Join</button>"), "\(reader.name)")
            }
        }
    }

    @Test("The parent who created the family removes another one, who is notified")
    func removes() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            try await Self.join([ben], ada)
            let mia = try await ada.child()
            let path = "/family/parents/\(ben.id)"
            #expect(try await ada.page("/family/account").text.contains("href=\"\(path)\""))
            #expect(try await ada.page(path).text.contains(">Remove Ben</button>"))
            let removed = try await ada.submit("\(path)?_method=delete", ["password": "correct horse"])
            #expect(removed.header("location") == "/family/account", "\(removed.text)")
            #expect(try removed.toast() == "Ben was removed")
            #expect(try await !ada.page("/family/account").text.contains(path))
            #expect(try await ada.names("/family/parents") == ["Ada"])
            #expect(try await ben.send(.get, mia).status == 404)
            let feed = try await ben.send(.get, "/notifications").object()
            #expect(try feed.texts("items", "title") == ["You were removed from the family"])
        }
    }

    @Test("A parent leaves with the password; the others are notified and keep the children")
    func leaves() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            let cleo = try await site.parent("Cleo")
            try await Self.join([ben, cleo], ada)
            let mia = try await ada.child()
            let leavers: [(parent: FamilyTestClient, others: [String?])] = [(cleo, ["Ada", "Ben"]), (ada, ["Ben"])]
            for (leaver, others) in leavers {
                let path = "/family/parents/\(leaver.id)"
                #expect(try await leaver.page("/family/account").text.contains("href=\"\(path)\""))
                #expect(try await leaver.page(path).text.contains(">Leave the family</button>"))
                let refused = try await leaver.submit("\(path)?_method=delete", ["password": ""])
                #expect(refused.status == 422 && refused.text.contains("Enter your password."))
                let left = try await leaver.submit("\(path)?_method=delete", ["password": "correct horse"])
                #expect(left.header("location") == "/", "\(left.text)")
                #expect(try left.toast() == "You left the family")
                #expect(try await ben.names("/family/parents") == others)
                #expect(try await ben.send(.get, mia).status == 200)
                let feed = try await ben.notifications()
                #expect(feed.first?.text("title") == "\(leaver.name) left your family")
                #expect(try await leaver.page("/notifications").text.contains("You left your family"))
            }
            let alone = try await ben.page("/family/parents/\(ben.id)").text
            #expect(alone.contains("You are the only parent of this family."))
            #expect(!alone.contains(">Leave the family</button>"))
            let deletion = try await ben.page("/account/delete").text
            #expect(deletion.contains("Your children’s profiles and points are deleted with your account."))
        }
    }

    @Test("A parent who didn't announce a removal has no button to withdraw it")
    func withdraws() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            let cleo = try await site.parent("Cleo")
            let dora = try await site.parent("Dora")
            try await Self.join([ben, cleo, dora], ada)
            site.clock.advance(seconds: Limits.removalMembershipSeconds)
            let path = "/family/parents/\(cleo.id)"
            let button = ">Withdraw the removal</button>"
            #expect(try await ben.page(path).text.contains(">Announce the removal of Cleo</button>"))
            let announced = try await ben.submit("\(path)/removal?_method=put", ["password": "correct horse"])
            #expect(announced.header("location") == path, "\(announced.text)")
            #expect(try await ben.page(path).text.contains(button))
            let uninvolved = try await dora.page(path).text
            #expect(uninvolved.contains("Ben wants to remove Cleo from the family."))
            #expect(!uninvolved.contains(button))
            #expect(try await dora.send(.delete, "\(path)/removal").status == 403)
            let withdrawn = try await ben.submit("\(path)/removal?_method=delete", [:])
            #expect(withdrawn.header("location") == path)
            #expect(try withdrawn.toast() == "Cleo stays in the family")
            let after = try await ben.page(path).text
            #expect(!after.contains(">Announce the removal of Cleo</button>"))
            #expect(after.contains("You can announce the removal of this parent from"))
        }
    }

    @Test("After a week a parent announces the removal of the family's creator, who is notified and refuses it")
    func refusesRemoval() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            try await Self.join([ben], ada)
            let path = "/family/parents/\(ada.id)"
            let button = ">Announce the removal of Ada</button>"
            let early = try await ben.page(path).text
            #expect(early.contains("Ada created this family.") && !early.contains(button))
            #expect(early.contains("You can announce the removal of this parent from"))
            site.clock.advance(seconds: Limits.removalMembershipSeconds)
            #expect(try await ben.page(path).text.contains(button))
            let announced = try await ben.submit("\(path)/removal?_method=put", ["password": "correct horse"])
            #expect(announced.header("location") == path, "\(announced.text)")
            #expect(try await ada.notifications().first?.text("title") == "Ben wants to remove you from the family")
            #expect(try await ada.page(path).text.contains(">Refuse the removal</button>"))
            let refused = try await ada.submit("\(path)/removal?_method=delete", [:])
            #expect(refused.header("location") == path)
            #expect(try refused.toast() == "You stay in the family")
            #expect(try await ben.page(path).text.contains("Ada refused the removal."))
            #expect(try await ada.names("/family/parents") == ["Ada", "Ben"])
        }
    }
}
