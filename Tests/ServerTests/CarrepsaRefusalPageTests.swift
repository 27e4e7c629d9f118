import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// What owner and carrier see of the recipient, and of steps that come before others.
@Suite("Carrepsa: pages about the recipient")
struct CarrepsaRefusalPageTests {
    /// A package with a recipient that Ben accepted, and the path of the recipient's page.
    private static func package(
        _ ada: CarrepsaTestClient, _ ben: CarrepsaTestClient
    ) async throws -> (path: String, delivery: String) {
        let path = try await ada.offer()
        let set = try await ada.send(
            .put, path + "/recipient", json: ["name": "Zoe", "contact": "+49 30 123456", "address": "Am Markt 1"])
        let url = try #require(try set.object().text("url"))
        let secret = try #require(url.split(separator: "/").last)
        #expect(try await ben.send(.post, path + "/acceptance").status == 201)
        return (path, "/deliveries/\(secret)")
    }

    @Test("The carrier's page has the recipient's address, number and wish at the top", arguments: Engine.allCases)
    func recipient(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, cleo) = (
                try await site.person("Ada"), try await site.person("Ben"), try await site.person("Cleo")
            )
            let (path, delivery) = try await Self.package(ada, ben)
            let told = try await site.signedOut.send(
                .put, delivery + "/instructions", json: ["leaveAt": "At the bakery"])
            #expect(told.status == 200, "\(told.text)")
            let page = try await ben.page(path).text
            let panel = try #require(page.range(of: "id=\"bring-to\""))
            let details = try #require(page.range(of: ">Details</h2>"))
            #expect(panel.lowerBound < details.lowerBound)
            for text in ["Zoe", "href=\"tel:+4930123456\"", ">Am Markt 1<", "geo:0,0?q=Am%20Markt%201"] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(page.components(separatedBy: "At the bakery").count == 3, "at the top and in the history")
            let own = try await ada.page(path).text
            #expect(!own.contains("id=\"bring-to\""))
            #expect(own.contains("At the bakery"))
            _ = try await ben.send(.delete, path + "/acceptance")
            for reader in [ben, cleo] {
                let text = try await reader.page(path).text
                #expect(!text.contains("Am Markt 1") && !text.contains("At the bakery"))
            }
        }
    }

    @Test("C-20: After a refusal and a request, cancelling comes before the confirmation", arguments: Engine.allCases)
    func refusal(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let (path, delivery) = try await Self.package(ada, ben)
            _ = try await ada.send(.post, path + "/pickup")
            #expect(try await !ben.page(path).text.contains("id=\"confirm-anyway\""))
            #expect(try await site.signedOut.send(.post, delivery + "/refusal").status == 200)
            for (reader, lead) in [
                (ada, "When you and Ben agree to cancel, your reward comes back."),
                (ben, "When you and Ada agree to cancel, your deposit of €40.00 comes back."),
            ] {
                let page = try await reader.page(path).text
                #expect(page.contains("<p class=\"parcel-lead\" hx-disable>\(lead)</p>"))
                let ask = try #require(page.range(of: "id=\"step-requestCancellation\""))
                let fold = try #require(page.range(of: "id=\"confirm-anyway\""))
                #expect(ask.lowerBound < fold.lowerBound)
                #expect(page.contains("button-primary button-wide\" type=\"submit\">Ask to cancel"))
            }
            let own = try await ada.page(path).text
            #expect(own.contains("The recipient has refused the package. You can ask Ben to cancel."))
            let refused = try await ben.page(path).text
            #expect(refused.contains("The recipient refuses the package. Arrange with Ada how it comes back."))
            #expect(!refused.contains("Bring it to the recipient") && !refused.contains("Agree to cancel"))
            let parts = refused.components(separatedBy: "id=\"confirm-anyway\"")
            #expect(parts.count == 2)
            #expect(parts.map { $0.contains(">I have delivered it") } == [false, true])
            _ = try await ada.send(.post, path + "/cancellation-request")
            #expect(try await ada.page(path).text.contains("Waiting for Ben to agree."))
            let asked = try await ben.page(path).text
            #expect(asked.contains("button-primary button-wide\" type=\"submit\">Agree to cancel"))
            #expect(asked.contains("If you don’t agree, talk to Ada or report a problem."))
            // The rules still allow the confirmation.
            #expect(try await ada.submit(path + "/delivery", [:]).status == 303)
            #expect(try await ben.balances() == [11_200, 0])
        }
    }

    @Test("C-21: A required photo blocks the code's button, and the owner reads that they require it")
    func photos() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let posted = try await ada.submit(
                "/carrepsa/packages",
                [
                    "title": "Bike helmet", "from": "Aachen", "to": "Bonn", "weight": "1.2", "reward": "12",
                    "moneyLock": "40", "requiresPhotos": "on",
                ])
            let path = try #require(posted.header("location"))
            _ = try await ben.send(.post, path + "/acceptance")
            let carrier = try await ben.page(path).text
            #expect(carrier.contains("data-reason=\"Add a photo first: the owner requires it.\">Confirm with code"))
            let owner = try await ada.page(path).text
            #expect(owner.contains("data-reason=\"Add a photo first: you require it.\">Confirm pickup"))
            #expect(!owner.contains("the owner requires it"))
        }
    }

    @Test("A new offer lists what is missing, for its owner only")
    func nextSteps() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let path = try await ada.offer()
            let page = try await ada.page(path).text
            #expect(page.contains("id=\"next-steps\""))
            #expect(page.contains("Travellers can’t find this on their way yet"))
            #expect(try await !ben.page(path).text.contains("id=\"next-steps\""))
            let complete = try await ada.offer(
                "Lamp",
                with: [
                    "fromLatitude": 53.8661, "fromLongitude": 10.6797, "toLatitude": 53.8655, "toLongitude": 10.6866,
                ])
            #expect(try await !ada.page(complete).text.contains("Travellers can’t find this on their way yet"))
            _ = try await ada.send(.put, complete + "/recipient", json: ["name": "Zoe", "contact": "zoe@example.org"])
            #expect(try await !ada.page(complete).text.contains("id=\"next-steps\""))
        }
    }

    @Test("Without mail and payment instructions, the pages say what to do instead")
    func withoutSettings() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let path = try await ada.offer()
            let page = try await ada.page(path + "/recipient").text
            #expect(page.contains("This server sends no mail. Share the link yourself."))
            #expect(!page.contains("the link is sent there"))
            let money = try await ada.page("/carrepsa/money").text
            #expect(money.contains("id=\"reference\" translate=\"no\">HW-"))
            #expect(money.contains("Tell the administrator this reference"))
        }
    }
}
