import HTTPTypes
import TestSupport
import Testing

/// Children that a parent deleted, until they are restored or erased.
@Suite("Family: pages of deleted children")
struct DeletedChildPageTests {
    /// Deletes a child by the form of its sheet, and returns the path of the deleted child.
    private static func delete(_ child: String, by parent: FamilyTestClient) async throws -> String {
        #expect(try await parent.page(child).text.contains("with all points and rewards for 7 days."))
        let deleted = try await parent.submit("\(child)?_method=delete", [:])
        #expect(deleted.header("location") == "/family", "\(deleted.text)")
        #expect(try deleted.toastUndo() == "\(child)/restoration")
        #expect(try await parent.names("/family/children") == [])
        return child.replacing("/children/", with: "/deleted-children/")
    }

    @Test("F-12-N: Another parent restores a child days after its deletion, with its points; all parents are notified")
    func restoration() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            let code = try #require(try await ada.invitation().text("code"))
            #expect(try await ben.send(.post, "/family/parents", json: ["code": code]).status == 201)
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: mia)
            let path = try await Self.delete(mia, by: ada)
            // The parent who deleted the child is notified, too.
            for parent in [ada, ben] {
                let told = try await parent.notifications().filter { $0.text("kind") == "childDeletion" }
                #expect(told.map { $0.text("resource") } == [path], "\(parent.name)")
                #expect(told.map { $0.text("title") } == ["Ada deleted Mia"], "\(parent.name)")
            }
            site.clock.advance(seconds: 6 * 24 * 60 * 60)
            let feed = try await ben.page("/notifications").text
            #expect(feed.contains("Ada deleted Mia") && feed.contains("You can restore Mia until"))
            #expect(try await ben.page(path).text.contains("action=\"\(mia)/restoration\""))
            let restored = try await ben.submit("\(mia)/restoration", [:])
            #expect(restored.header("location") == "/family")
            #expect(try restored.toast() == "Mia is back")
            for parent in [ada, ben] {
                #expect(try await parent.page("/family").text.contains("3 in all"), "\(parent.name)")
            }
            #expect(try await ben.page(path).status == 404)
        }
    }

    @Test("F-12-A: A deleted child is erased with the password alone")
    func erasure() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let link = "href=\"/family/deleted-children\""
            #expect(try await !ada.page("/family/account").text.contains(link))
            let path = try await Self.delete(mia, by: ada)
            #expect(try await ada.page("/family/account").text.contains(link))
            #expect(try await ada.page("/family/deleted-children").text.contains("href=\"\(path)\""))
            for (password, message) in [
                ("", "Enter your password."), ("wrong horse", "That is not your password."),
            ] {
                let refused = try await ada.submit("\(path)?_method=delete", ["password": password])
                #expect(refused.status == 422, "\(message)")
                #expect(refused.text.contains(message))
                #expect(try await ada.names("/family/deleted-children") == ["Mia"])
            }
            let erased = try await ada.submit("\(path)?_method=delete", ["password": "correct horse"])
            #expect(erased.header("location") == "/family/deleted-children", "\(erased.text)")
            #expect(try erased.toast() == "The child was erased")
            #expect(try await ada.page("/family/deleted-children").text.contains("No deleted children"))
            #expect(try await !ada.page("/family/account").text.contains(link))
        }
    }
}
