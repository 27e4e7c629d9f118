import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Sign-in of children by codes, their sessions, and their changes of their own profiles.
@Suite("Family: a child's sign-in and profile")
struct ChildSignInPageTests {
    @Test("F-10-B: Twins have different codes, and each code signs in its own child")
    func twins() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let twins = [try await ada.child(), try await ada.child()]
            var codes: [String] = []
            for child in twins {
                let page = try await ada.submit("\(child)/sign-in-codes", [:])
                #expect(page.status == 201)
                #expect(page.text.contains("<figure class=\"qr\""))
                let link = try #require(page.text.firstMatch(of: #/id="code-link"[^>]*>[^<]*code=([^<]+)</#))
                codes.append(String(link.output.1))
            }
            #expect(codes[0] != codes[1])
            for (child, code) in zip(twins, codes) {
                let signedIn = try await site.signedOut.send(.post, "/family/sign-in", json: ["code": code])
                #expect(signedIn.status == 201, "\(signedIn.text)")
                let id = try #require(try signedIn.object().object("child").text("id"))
                #expect(child == "/family/children/\(id)")
            }
        }
    }

    @Test("F-10-N: A code works for ten minutes, and signs no one in after that")
    func expiredCode() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let code = try await ada.send(.post, "\(mia)/sign-in-codes").object().text("code") ?? ""
            let link = "/family/sign-in?code=\(code)"
            site.clock.advance(seconds: 599)
            let shown = try await site.signedOut.page(link)
            #expect(shown.status == 200 && shown.text.contains("Sign in as Mia"))
            site.clock.advance(seconds: 1)
            let late = try await site.signedOut.submit("/family/sign-in", ["code": code])
            let opened = try await site.signedOut.page(link)
            for reply in [late, opened] {
                #expect(reply.status == 404)
                #expect(reply.text.contains("You need a new code"))
                #expect(reply.text.contains("role=\"alert\">This code no longer works."))
                #expect(reply.text.contains("Ask a parent to open your page"))
                #expect(!(reply.header("set-cookie") ?? "").contains("homeward-session="))
            }
            let program = try await site.signedOut.send(.post, "/family/sign-in", json: ["code": code])
            #expect(program.status == 404)
        }
    }

    @Test("F-14-B: An unknown code signs no one in, by its link or by the scanner")
    func unknownCode() async throws {
        try await withFamilies { site in
            let code = "AAAAAAAAAAAAAAAAAAAAAA"
            let link = try await site.signedOut.page("/family/sign-in?code=\(code)")
            #expect(link.status == 404)
            #expect(link.text.contains("You need a new code") && link.text.contains("This code no longer works"))
            let scanner = try await site.signedOut.fragment("/family/scan")
            #expect(scanner.text.contains("data-text-foreign=\"This isn’t a code of your family."))
            #expect(scanner.text.contains("data-text-refused=\"This code no longer works."))
            let scanned = try await site.signedOut.submit(
                "/family/sign-in", ["code": code, "from": "scanner"], isFragment: true)
            #expect(scanned.status == 404 && scanned.header("HX-Redirect") == nil)
            for reply in [link, scanned] {
                #expect(!(reply.header("set-cookie") ?? "").contains("homeward-session="))
            }
        }
    }

    @Test("F-14-A: The code of a child that was deleted before signs no one in, by its link or by the scanner")
    func deletedChild() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let code = try await ada.send(.post, "\(mia)/sign-in-codes").object().text("code") ?? ""
            let link = "/family/sign-in?code=\(code)"
            #expect(try await site.signedOut.page(link).text.contains("Sign in as Mia"))
            #expect(try await ada.send(.delete, mia).status == 204)
            let opened = try await site.signedOut.page(link)
            let submitted = try await site.signedOut.submit("/family/sign-in", ["code": code])
            for reply in [opened, submitted] {
                #expect(reply.status == 404)
                #expect(reply.text.contains("You need a new code"))
                #expect(reply.text.contains("role=\"alert\">This code no longer works."))
            }
            let scanned = try await site.signedOut.submit(
                "/family/sign-in", ["code": code, "from": "scanner"], isFragment: true)
            #expect(scanned.status == 404 && scanned.header("HX-Redirect") == nil)
            for reply in [opened, submitted, scanned] {
                #expect(!(reply.header("set-cookie") ?? "").contains("homeward-session="))
            }
            let program = try await site.signedOut.send(.post, "/family/sign-in", json: ["code": code])
            #expect(program.status == 404)
        }
    }

    @Test("F-16-B: Empty fields of a child's own profile are marked, and nothing is stored")
    func emptyProfile() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child(with: ["theme": "ocean"])
            let device = try await site.device(of: mia, by: ada)
            let before = try await ada.send(.get, mia).object()
            let refused = try await device.submit(
                "\(mia)?_method=patch",
                [
                    "version": "1", "name": "", "dateOfBirth": "", "theme": "ocean", "avatarPictureId": "photo",
                    "pictureId": "",
                ])
            #expect(refused.status == 422)
            for field in ["name", "dateOfBirth"] {
                #expect(try refused.control(field).contains("aria-invalid=\"true\""), "\(field)")
                #expect(!refused.text.contains("id=\"\(field)-error\"></p>"), "\(field)")
            }
            #expect(refused.text.contains("id=\"avatar-error\">This cannot be left empty.</p>"))
            let after = try await ada.send(.get, mia).object()
            #expect(after.text("name") == "Mia" && after.text("dateOfBirth") == "2017-05-12")
            #expect(after.text("avatarPictureId") == before.text("avatarPictureId"))
            #expect(after.number("version") == before.number("version"))
        }
    }

    @Test("F-16-A: A child may have the same name, date of birth, theme and avatar as a sibling")
    func sameProfile() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let ben = try await ada.child("Ben", with: ["theme": "space"])
            let device = try await site.device(of: mia, by: ada)
            let twin = try await ada.send(.get, ben).object()
            let avatar = try #require(twin.text("avatarPictureId"))
            let saved = try await device.submit(
                "\(mia)?_method=patch",
                [
                    "version": "1", "name": "Ben", "dateOfBirth": "2017-05-12", "theme": "space",
                    "avatarPictureId": avatar,
                ])
            #expect(saved.header("location") == "/family/account")
            let stored = try await ada.send(.get, mia).object()
            for field in ["name", "dateOfBirth", "theme", "avatarPictureId"] {
                #expect(stored.text(field) == twin.text(field), "\(field)")
            }
            let page = try await device.page("/family").text
            for child in [mia, ben] {
                #expect(page.contains("<a class=\"my-name\" hx-disable href=\"\(child)\">Ben</a>"))
            }
            let parents = try await ada.page("/family").text
            #expect(parents.ranges(of: ">Ben</a>").count == 2 && !parents.contains(">Mia<"))
        }
    }

    @Test("F-17-B, F-18-A, F-18-B: A child and a parent stay signed in for ten minutes, and after ten minutes away")
    func staysSignedIn() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let device = try await site.device(of: mia, by: ada)
            for person in [ada, device] {
                for minute in 1...10 {
                    site.clock.advance(seconds: 60)
                    let uri = minute.isMultiple(of: 2) ? "/family" : "/family/account"
                    let page = try await person.page(uri)
                    #expect(page.status == 200 && page.text.contains("<h1"), "\(person.name) \(minute)")
                    #expect(try await person.send(.get, "/family").status == 200, "\(person.name) \(minute)")
                }
                #expect(try await person.page("/family/account").text.contains(person.name))
            }
            site.clock.advance(seconds: 600)
            for person in [ada, device] {
                let page = try await person.page("/family/account")
                #expect(page.status == 200 && page.text.contains(person.name), "\(person.name)")
            }
        }
    }

    @Test("A child and a parent stay signed in after the browser is closed")
    func closedBrowser() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let code = try await ada.send(.post, "\(mia)/sign-in-codes").object().text("code") ?? ""
            let signIns = [
                try await site.signedOut.submit(
                    "/session", ["email": "ada@example.org", "password": "correct horse"]),
                try await site.signedOut.submit("/family/sign-in", ["code": code]),
            ]
            for signIn in signIns {
                // The cookie outlives the browser.
                let cookies = signIn.header("set-cookie") ?? ""
                let session = cookies.split(separator: ",").first { $0.contains("homeward-session=") }
                #expect(session?.contains("; Max-Age=34560000") == true, "\(cookies)")
            }
        }
    }
}
