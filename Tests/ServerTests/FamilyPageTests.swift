import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// Family's pages for parents in a browser without scripts.
@Suite("Family: parents' pages")
struct FamilyPageTests {
    @Test("F-06: Cards of the children; a new user sees how to add one; signed out, an introduction")
    func dashboard() async throws {
        try await withFamilies { site in
            let welcome = try await site.signedOut.page("/family")
            #expect(welcome.text.contains("/register?app=family"))
            let ada = try await site.parent("Ada")
            let empty = try await ada.page("/family")
            #expect(empty.text.contains("First steps") && empty.text.contains("/family/children/new"))
            let mia = try await ada.child()
            _ = try await ada.child("Ben")
            _ = try await ada.contract(of: mia)
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: mia)
            let full = try await ada.page("/family")
            #expect(full.text.contains("Hello, Ada") && full.text.contains("3 of 10"))
            #expect(full.text.contains("Level 1") && full.text.contains("3 in all"))
            #expect(full.text.contains("href=\"\(mia)\"") && !full.text.contains("No children yet"))
            let german = try await ada.page("/family", language: "de")
            #expect(german.text.contains("3 von 10"))
            let fragment = try await ada.fragment("/family")
            #expect(fragment.text.hasPrefix("<section") && !fragment.text.contains("<html"))
        }
    }

    @Test("A person from another app must add the date of birth first")
    func birthDateFirst() async throws {
        try await withFamilies { site in
            let tom = try await site.parent("Tom", app: "tracking")
            let sent = try await tom.page("/family")
            #expect(sent.header("location") == "/account/apps/family?return=%2Ffamily")
            let refused = try await tom.send(.get, "/family/children")
            #expect(refused.status == 422)
            #expect(try refused.error().object("fields").keys == ["dateOfBirth"])
            let entered = try await tom.submit(
                "/account/apps/family", ["dateOfBirth": "1990-05-01", "return": "/family"])
            #expect(entered.header("location") == "/family")
            #expect(try await tom.page("/family").status == 200)
        }
    }

    @Test("F-07-N, F-07-B: A form adds a child; missing fields are marked and entered values stay")
    func addsChild() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            #expect(try await ada.page("/family/children/new").status == 200)
            let refused = try await ada.submit(
                "/family/children", ["name": "Mia", "dateOfBirth": "", "theme": "ocean"])
            #expect(refused.status == 422)
            #expect(refused.text.contains("value=\"Mia\"") && refused.text.contains("value=\"ocean\" checked"))
            #expect(refused.text.components(separatedBy: "aria-invalid=\"true\"").count == 2)
            let german = try await ada.submit("/family/children", ["name": "", "dateOfBirth": ""], language: "de")
            #expect(!german.text.contains("Enter"))
            let added = try await ada.submit(
                "/family/children", ["name": "Mia", "dateOfBirth": "2017-05-12", "theme": "ocean"])
            #expect(added.header("location") == "/family")
            #expect(try added.toast() == "Mia is in the family now")
            #expect(try await ada.names("/family/children") == ["Mia"])
            #expect(try await ada.send(.get, "/family/children").object().texts("items", "theme") == ["ocean"])
        }
    }

    @Test("F-12: A form that was opened before another parent's change keeps both changes")
    func mergesEdits() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let sheet = try await ada.fragment("\(mia)/edit")
            #expect(sheet.text.hasPrefix("<form") && sheet.text.contains("value=\"2017-05-12\""))
            let avatar = try await ada.send(.get, mia).object().text("avatarPictureId") ?? ""
            _ = try await ada.send(.patch, mia, json: ["dateOfBirth": "2016-05-12"])
            let refused = try await ada.submit(
                "\(mia)?_method=patch",
                [
                    "version": "1", "base.name": "Mia", "base.dateOfBirth": "2017-05-12", "base.theme": "standard",
                    "base.avatar": avatar, "name": "Mia Sofia", "dateOfBirth": "2017-05-12", "theme": "standard",
                    "avatarPictureId": avatar,
                ])
            #expect(refused.status == 409)
            #expect(refused.text.contains("value=\"Mia Sofia\"") && refused.text.contains("value=\"2016-05-12\""))
            #expect(refused.text.contains("name=\"version\" value=\"2\""))
            let saved = try await ada.submit(
                "\(mia)?_method=patch",
                [
                    "version": "2", "name": "Mia Sofia", "dateOfBirth": "2016-05-12", "theme": "standard",
                    "avatarPictureId": avatar,
                ])
            #expect(saved.header("location") == "/family")
            let child = try await ada.send(.get, mia).object()
            #expect(child.text("name") == "Mia Sofia" && child.text("dateOfBirth") == "2016-05-12")
        }
    }

    @Test("F-08-N, F-08-B, F-08-A: A chore needs name and picture; a similar one shows a notice; a deletion is undone")
    func chores() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let refused = try await ada.submit("/family/chores", ["name": "", "pictureId": ""])
            #expect(refused.status == 422)
            #expect(refused.text.contains("Choose a picture") && refused.text.contains("Enter a name"))
            let added = try await ada.submit("/family/chores", ["name": "Dishes", "pictureId": site.picture])
            #expect(added.header("location") == "/family")
            let twin = try await ada.submit("/family/chores", ["name": "Dishes", "pictureId": site.picture])
            #expect(try twin.toast().contains("another chore"))
            #expect(try await ada.names("/family/chores") == ["Dishes", "Dishes"])
            let account = try await ada.page("/family/account")
            #expect(account.text.components(separatedBy: ">Dishes<").count == 3)
            let id = try await ada.send(.get, "/family/chores").object().texts("items", "id")[0] ?? ""
            let edit = try await ada.page("/family/chores/\(id)/edit")
            #expect(edit.text.contains("value=\"Dishes\"") && edit.text.contains(site.picture))
            let changed = try await ada.submit(
                "/family/chores/\(id)?_method=patch",
                ["name": "Laundry", "pictureId": site.otherPicture, "version": "1"])
            #expect(changed.header("location") == "/family/account")
            let deleted = try await ada.submit("/family/chores/\(id)?_method=delete", [:])
            #expect(try deleted.toast() == "“Laundry” is deleted")
            #expect(try await ada.names("/family/chores") == ["Dishes"])
            let back = try await ada.submit("/family/chores/\(id)/restoration", [:])
            #expect(back.header("location") == "/family/account")
            #expect(try await ada.names("/family/chores").count == 2)
        }
    }

    @Test("F-09-N, F-09-B, F-09-A: Blank rows are ignored, rows can be added, and errors are at their fields")
    func contract() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let url = "\(mia)/contracts"
            let more = try await ada.submit(
                url, ["maxPoints": "10", "levels.0.reward": "Zoo", "levels.0.points": "3", "step": "add"])
            #expect(more.status == 200)
            #expect(more.text.contains("name=\"levels.1.reward\" value=\"\""))
            #expect(more.text.contains("name=\"levels.0.reward\" value=\"Zoo\""))
            let above = try await ada.submit(
                url,
                [
                    "maxPoints": "10", "levels.0.reward": "Zoo", "levels.0.points": "3", "levels.1.reward": "",
                    "levels.1.points": "", "levels.2.reward": "Cinema", "levels.2.points": "8",
                ])
            #expect(above.status == 422)
            #expect(above.text.contains("Together the levels take more points"))
            #expect(above.text.contains("aria-describedby=\"levels-2-points-error\" aria-invalid=\"true\""))
            // The blank row remains in the form.
            #expect(above.text.contains("name=\"levels.1.reward\" value=\"\""))
            let text = try await ada.submit(
                url, ["maxPoints": "ten", "levels.0.reward": "Zoo", "levels.0.points": "3"])
            #expect(text.status == 422 && text.text.contains("value=\"ten\""))
            #expect(try await ada.send(.get, mia).object().isNull("contract"))
            let added = try await ada.submit(
                url,
                [
                    "maxPoints": "10", "description": "Until summer", "levels.0.reward": "Zoo",
                    "levels.0.points": "3", "levels.4.reward": "Cinema", "levels.4.points": "7",
                ])
            #expect(added.header("location") == mia)
            let contract = try await ada.send(.get, mia).object().object("contract")
            #expect(try contract.texts("levels", "reward") == ["Zoo", "Cinema"])
            #expect(try contract.list("levels").map { $0.number("points") } == [3, 7])
            #expect(contract.text("description") == "Until summer")
            let history = try await ada.page(url)
            #expect(history.text.contains("Cinema") && history.text.contains("Current contract"))
        }
    }

    @Test("F-11-N, F-11-B, F-11-A, F-21-A: The dialog's form posts points; no choice or a deleted chore posts none")
    func assigns() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            let url = "\(mia)/assignments"
            let none = try await ada.submit(url, ["points.\(dishes)": "0"], isFragment: true)
            #expect(none.status == 422 && none.text.contains("at least one chore"))
            let booked = try await ada.submit(url, ["points.\(dishes)": "2", "points.\(dog)": "3"], isFragment: true)
            #expect(booked.header("HX-Redirect") == mia)
            #expect(try booked.toast() == "5 points for Mia")
            let profile = try await ada.page(mia)
            #expect(profile.text.contains("Finish chores") && profile.text.contains("+2"))
            #expect(profile.text.contains("by Ada"))
            _ = try await ada.send(.delete, "/family/chores/\(dog)")
            let gone = try await ada.submit(url, ["points.\(dishes)": "1", "points.\(dog)": "3"], isFragment: true)
            #expect(gone.status == 422 && gone.text.contains("A chore that you chose was deleted"))
            #expect(!gone.text.contains(">Dog<"))
            #expect(gone.text.contains("name=\"points.\(dishes)\" value=\"1\" data-takes-back checked"))
            #expect(try await ada.score(of: mia) == [0, 5, 0])
            let id = try await ada.send(.get, url).object().texts("items", "id")[0] ?? ""
            let undone = try await ada.submit("\(url)/\(id)?_method=delete", [:])
            #expect(undone.header("location") == mia)
            let again = try await ada.submit("\(url)/\(id)?_method=delete", [:])
            #expect(try again.toast() == "This was already undone.")
        }
    }

    @Test("F-13-B: Own profile; the name and the date of birth can't be removed here")
    func own() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let page = try await ada.page("/family/account")
            #expect(page.text.contains("Ada") && page.text.contains("1 May 1990"))
            let refused = try await ada.submit(
                "/family/account?_method=patch", ["name": "", "dateOfBirth": "", "theme": "ocean"])
            #expect(refused.status == 422)
            #expect(refused.marked == ["name", "dateOfBirth"])
            for field in ["name", "dateOfBirth"] { #expect(!refused.text.contains("id=\"\(field)-error\"></p>")) }
            let account = try await ada.send(.get, "/account").object()
            #expect(account.text("name") == "Ada" && account.text("dateOfBirth") == "1990-05-01")
            let saved = try await ada.submit(
                "/family/account?_method=patch",
                [
                    "name": "Ada L.", "dateOfBirth": "1991-05-01", "theme": "ocean",
                    "avatarPictureId": site.picture,
                ])
            #expect(saved.header("location") == "/family/account")
            let dashboard = try await ada.page("/family")
            #expect(dashboard.text.contains("Hello, Ada L.") && dashboard.text.contains(site.picture))
        }
    }

    @Test("A reward is marked as handed over on the child's page, and the mark is removed again")
    func handsOver() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let contract = try await ada.contract(of: mia)
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: mia)
            let early = try await ada.submit("\(contract)/levels/2/handover?_method=put", [:])
            #expect(try early.toast() == "This level isn’t reached yet.")
            let ticked = try await ada.submit("\(contract)/levels/1/handover?_method=put", [:])
            #expect(ticked.header("location") == mia)
            #expect(try await ada.page(mia).text.contains("aria-checked=\"true\""))
            _ = try await ada.submit("\(contract)/levels/1/handover?_method=delete", [:])
            #expect(try await !ada.page(mia).text.contains("aria-checked=\"true\""))
        }
    }

    @Test("Signing out of Family leads to the login page")
    func signsOut() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let page = try await ada.page("/family/menu?for=account")
            #expect(page.text.contains("Sign out"))
            let left = try await ada.submit("/session?_method=delete", ["return": "/sign-in?return=%2Ffamily"])
            #expect(left.header("location") == "/sign-in?return=%2Ffamily")
            #expect(try await ada.page("/family/account").status == 303)
        }
    }
}
