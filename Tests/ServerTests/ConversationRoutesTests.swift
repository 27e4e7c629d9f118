import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing
import WebCore

@Suite("Messages and reviews over HTTP")
struct ConversationRoutesTests {
    private static let unknown = "01890000-0000-7000-8000-000000000000"
    /// Valid bodies, so that only the access decides.
    private static let bodies: [String: [String: any Sendable]] = [
        "messages": ["text": "Hello"], "reading": ["number": 1], "report": ["reason": "An insult"],
        "reviews": ["onTime": true], "reply": ["reply": "Thank you"],
    ]

    /// Returns the status of each route of messages and reviews for a person.
    private static func statuses(
        of person: CarrepsaTestClient, _ path: String, _ message: String
    ) async throws -> [String: Int] {
        let routes = person.server.server.web.routes.filter {
            $0.path.hasPrefix("/carrepsa/packages/{id}/messages")
                || $0.path.hasPrefix("/carrepsa/packages/{id}/reviews")
        }
        #expect(routes.count >= 8)
        var statuses: [String: Int] = [:]
        for route in routes {
            let uri = route.path.replacing("/carrepsa/packages/{id}", with: path).replacing(
                "{messageId}", with: message)
            let name = uri.split(separator: "/").last.map(String.init) ?? ""
            let reply =
                route.method == .get
                ? try await person.send(.get, uri)
                : try await person.send(route.method, uri, json: bodies[name] ?? [:])
            statuses["\(route.method) \(name)"] = reply.status
        }
        return statuses
    }

    @Test("No route shows a stranger or an administrator a conversation or a review", arguments: Engine.allCases)
    func strangers(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben, olga, path) = try await site.packageInTransit()
            let cleo = try await site.person("Cleo")
            let sent = try await ben.send(.post, path + "/messages", json: ["text": "I come at five"])
            #expect(sent.status == 201)
            let message = try #require(try sent.object().text("id"))
            for person in [cleo, olga] {
                let statuses = try await Self.statuses(of: person, path, message)
                #expect(Set(statuses.values) == [404], "\(person.name): \(statuses)")
            }
            _ = try await ada.send(.post, path + "/delivery")
            for person in [cleo, olga] {
                let statuses = try await Self.statuses(of: person, path, message)
                #expect(Set(statuses.values) == [404], "\(person.name): \(statuses)")
            }
        }
    }

    @Test("C-28: A former carrier reads their own messages, and none of the later ones", arguments: Engine.allCases)
    func formerCarrier(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let cleo = try await site.person("Cleo")
            let path = try await ada.offer()
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ben.send(.post, path + "/messages", json: ["text": "Mine"])
            _ = try await ben.send(.delete, path + "/acceptance")
            _ = try await cleo.send(.post, path + "/acceptance")
            let later = try await ada.send(.post, path + "/messages", json: ["text": "To Cleo"])
            let message = try #require(try later.object().text("id"))
            let statuses = try await Self.statuses(of: ben, path, message)
            #expect(
                statuses == [
                    "GET messages": 200, "POST messages": 409, "PUT reading": 204, "GET report": 404,
                    "POST report": 404, "GET reviews": 404, "POST reviews": 404, "POST reply": 404,
                ])
            let read = try await ben.send(.get, path + "/messages").object()
            #expect(try read.texts("items", "text") == ["Mine"])
            let page = try await ben.page(path + "/messages").text
            #expect(page.contains("Mine") && !page.contains("To Cleo") && !page.contains("tel:"))
            // The notification of the later message is Cleo's.
            #expect(try await !ben.page("/notifications").text.contains("To Cleo"))
        }
    }

    @Test("Access tokens reach no messages, reports, blocks or reviews")
    func tokens() async throws {
        try await withCarrepsa { site in
            let routes = site.server.server.web.routes.filter { route in
                ["/messages", "/message-reports", "/block", "/reviews"].contains { route.path.contains($0) }
                    && route.path.hasPrefix("/carrepsa")
            }
            #expect(routes.count >= 13)
            for route in routes { #expect(route.tokenScopes.isEmpty, "\(route.method) \(route.path)") }
        }
    }
}
