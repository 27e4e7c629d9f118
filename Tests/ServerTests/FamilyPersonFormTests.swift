import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// Forms of children and parents: stored data and refusals.
@Suite("Family: forms of a person")
struct FamilyPersonFormTests {
    @Test("F-07-B: Empty fields of a new child are marked, each with a message about the child")
    func emptyFields() async throws {
        let nameMissing = "id=\"name-error\">Enter the child’s name.</p>"
        let dateMissing = "id=\"dateOfBirth-error\">Enter the child’s date of birth.</p>"
        let forms: [(name: String, date: String, marked: Set<String>, messages: [String])] = [
            ("", "2017-05-12", ["name"], [nameMissing]),
            ("Mia", "", ["dateOfBirth"], [dateMissing]),
            ("", "", ["name", "dateOfBirth"], [nameMissing, dateMissing]),
        ]
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            for (name, date, marked, messages) in forms {
                let refused = try await ada.submit(
                    "/family/children", ["name": name, "dateOfBirth": date, "theme": "ocean"])
                #expect(refused.status == 422, "\(marked)")
                #expect(refused.marked == marked)
                for message in messages { #expect(refused.text.contains(message), "\(message)") }
                #expect(refused.text.contains("name=\"name\" type=\"text\" value=\"\(name)\""), "\(marked)")
                #expect(refused.text.contains("name=\"dateOfBirth\" type=\"date\" value=\"\(date)\""), "\(marked)")
                #expect(refused.text.contains("value=\"ocean\" checked"), "\(marked)")
            }
            #expect(try await ada.names("/family/children") == [])
        }
    }

    @Test("F-07-N: A child is added with the first and with the last possible date of birth")
    func bounds() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let yesterday = String(site.clock.now.adding(seconds: -24 * 60 * 60).rfc3339.prefix(10))
            // A child is at least a day younger than the parent.
            for date in ["1990-05-02", yesterday] {
                let added = try await ada.submit("/family/children", ["name": "ميا 👩‍🚀", "dateOfBirth": date])
                #expect(added.header("location") == "/family", "\(date)")
            }
            let children = try await ada.send(.get, "/family/children").object()
            #expect(try children.texts("items", "name") == ["ميا 👩‍🚀", "ميا 👩‍🚀"])
            #expect(try children.texts("items", "dateOfBirth") == ["1990-05-02", yesterday])
        }
    }

    @Test("F-07-B: A date of birth before 1900, today or later is marked, and no child is added")
    func wrongDates() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let now = site.clock.now
            let today = String(now.rfc3339.prefix(10))
            let tomorrow = String(now.adding(seconds: 24 * 60 * 60).rfc3339.prefix(10))
            for date in ["1899-12-31", today, tomorrow, "2999-01-01"] {
                let refused = try await ada.submit("/family/children", ["name": "Mia", "dateOfBirth": date])
                #expect(refused.status == 422, "\(date)")
                #expect(refused.marked == ["dateOfBirth"], "\(date)")
                #expect(
                    refused.text.contains("id=\"dateOfBirth-error\">Enter a past date, not before 1900"), "\(date)")
                #expect(refused.text.contains("type=\"date\" value=\"\(date)\""), "\(date)")
                #expect(refused.text.contains("name=\"name\" type=\"text\" value=\"Mia\""), "\(date)")
            }
            #expect(try await ada.names("/family/children") == [])
        }
    }

    @Test("F-07-B: A child that was born before its parent, or on the same day, isn't added")
    func bornBeforeParent() async throws {
        let message = "id=\"dateOfBirth-error\">A child’s date of birth must be after yours. Check both.</p>"
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            for date in ["1990-05-01", "1984-02-29"] {
                let refused = try await ada.submit("/family/children", ["name": "Mia", "dateOfBirth": date])
                #expect(refused.status == 422, "\(date)")
                #expect(refused.marked == ["dateOfBirth"], "\(date)")
                #expect(refused.text.contains(message), "\(date)")
            }
            #expect(try await ada.names("/family/children") == [])
        }
    }

    @Test("F-12-A: A child may get the same name, theme and avatar as another child")
    func sameAsSibling() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await ada.child("Ben", with: ["theme": "ocean", "avatarPictureId": site.picture])
            let mia = try await ada.child("Mia", with: ["avatarPictureId": site.otherPicture])
            let saved = try await ada.submit(
                "\(mia)?_method=patch",
                [
                    "version": "1", "name": "Ben", "dateOfBirth": "2017-05-12", "theme": "ocean",
                    "avatarPictureId": site.picture,
                ])
            #expect(saved.header("location") == "/family", "\(saved.text)")
            let dashboard = try await ada.page("/family").text
            for path in [ben, mia] {
                #expect(dashboard.contains("href=\"\(path)\">Ben</a>"))
                let child = try await ada.send(.get, path).object()
                #expect(child.text("name") == "Ben" && child.text("theme") == "ocean")
                #expect(child.text("avatarPictureId") == site.picture)
            }
        }
    }

    @Test("F-13-A: A parent may have the same data as another parent")
    func sameAsParent() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let bea = try await site.parent("Bea")
            let same: [String: any Sendable] = [
                "dateOfBirth": "1990-01-01", "theme": "candy", "avatarPictureId": site.picture,
            ]
            #expect(try await bea.send(.patch, "/account", json: same).status == 200)
            let saved = try await ada.submit(
                "/family/account?_method=patch",
                ["name": "Bea", "dateOfBirth": "1990-01-01", "theme": "candy", "avatarPictureId": site.picture])
            #expect(saved.header("location") == "/family/account", "\(saved.text)")
            #expect(try await ada.page("/family/account").text.contains("<dd>Bea</dd>"))
            for parent in [ada, bea] {
                let account = try await parent.send(.get, "/account").object()
                #expect(account.text("id") == parent.id)
                #expect(account.text("name") == "Bea" && account.text("dateOfBirth") == "1990-01-01")
                #expect(account.text("theme") == "candy" && account.text("avatarPictureId") == site.picture)
            }
        }
    }
}
