import Accounts
import Family
import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing

/// Family's forms when they are sent twice, by the wrong person or with a wrong code.
@Suite("Family: repeated forms")
struct FamilyRepeatTests {
    @Test("A repeated deletion gets the same response, with the name in it", arguments: Engine.allCases)
    func deletions(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child("Mia")
            let dishes = "/family/chores/\(try await ada.chore("Dishes"))"
            for (path, words) in [(mia, "Mia is deleted"), (dishes, "“Dishes” is deleted")] {
                for _ in 0..<2 {
                    let answer = try await ada.submit("\(path)?_method=delete", ["idempotencyKey": "key of \(path)"])
                    #expect(answer.status == 303)
                    #expect(try answer.toast() == words)
                }
            }
            site.clock.advance(seconds: Limits.childRestorationSeconds)
            try await site.server.services.family.housekeeping.run()
            let late = try await ada.submit("\(mia)?_method=delete", ["idempotencyKey": "key of \(mia)"])
            #expect(try late.toast() == "It is deleted")
            let german = try await ada.submit(
                "\(mia)?_method=delete", ["idempotencyKey": "key of \(mia)"], language: "de")
            #expect(try german.toast() == "Es ist gelöscht")
        }
    }

    @Test("A wrong invitation counts once, and other errors don't count")
    func wrongInvitations() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let eve = try await site.parent("Eve")
            _ = try await eve.child("Leo")
            let invitation = try await ada.invitation()
            let code = try #require(invitation.text("code"))
            for _ in 0..<3 {
                #expect(try await eve.submit("/family/parents", ["code": code]).status == 409)
                #expect(try await eve.submit("/family/parents", ["code": ""]).status == 422)
            }
            for _ in 0..<Limits.familyCodeFailures {
                #expect(try await eve.submit("/family/parents", ["code": "wrong"]).status == 404)
            }
            #expect(try await eve.submit("/family/parents", ["code": "wrong"]).status == 429)
        }
    }

    @Test("A photo in a form is decoded only if its sender may use it")
    func photos() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child("Mia")
            let ben = try await ada.child("Ben")
            let eve = try await site.parent("Eve")
            let brother = try await site.device(of: ben, by: ada)
            // The data isn't a photo, which only an authorised sender learns.
            #expect(try await ada.submitPhoto("\(mia)?_method=patch").status == 422)
            #expect(try await eve.submitPhoto("\(mia)?_method=patch").status == 404)
            #expect(try await brother.submitPhoto("\(mia)?_method=patch").status == 403)
            #expect(try await brother.submitPhoto("/family/children").status == 403)
        }
    }
}

extension FamilyTestClient {
    /// Sends a form with a photo in it.
    fileprivate func submitPhoto(_ uri: String) async throws -> Reply {
        let fields = [
            "name": "Mia", "dateOfBirth": "2017-05-12", "theme": "ocean", "avatarPictureId": "photo",
            "idempotencyKey": uri,
        ]
        var body = fields.map { pair in
            "--x\r\nContent-Disposition: form-data; name=\"\(pair.key)\"\r\n\r\n\(pair.value)\r\n"
        }.joined()
        body += "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\"\r\n\r\nhello\r\n--x--\r\n"
        return try await submit(uri, multipart: body)
    }
}
