import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import TestSupport
import Testing

@testable import Server

@Suite("The check for updates")
struct UpdateCheckTests {
    private func update(_ harness: ServerHarness, _ token: String) async throws -> String? {
        try await harness.send(.get, "/admin", token: token).object()["update"] as? String
    }

    @Test(
        "H-19: A newer version is shown after the daily check, which says nothing about the server",
        arguments: Engine.allCases)
    func daily(engine: Engine) async throws {
        let stub = StubServer()
        try await stub.serve { url in
            try await withServer(engine, settings: ["HOMEWARD_UPDATE_URL": "\(url)/versions?channel=stable"]) {
                harness async throws in
                let mia = try await harness.join("mia@example.org")
                _ = try await harness.services.accounts.administrators.setOperator(email: "mia@example.org", true)
                let address = try #require(harness.services.settings.updateURL)
                let check = UpdateCheck(url: address, updates: harness.services.accounts.updateNotices)
                let tasks = MaintenanceSequence.all(of: harness.services).flatMap(\.tasks).map(\.name)
                #expect(tasks.contains("updates"))
                #expect(try await update(harness, mia) == nil)
                stub.reply(.internalServerError)
                await #expect(throws: UpdateCheck.Failure.self) { try await check.runIfDue() }
                stub.reply(.ok, "nothing")
                await #expect(throws: UpdateCheck.Failure.self) { try await check.runIfDue() }
                stub.reply(.ok, #"{"version":"99.1.0"}"#)
                // A document without a version is read again after a day; a failed request is repeated sooner.
                try await check.runIfDue()
                #expect(stub.arrivals.count == 2)
                #expect(try await update(harness, mia) == nil)
                harness.clock.advance(seconds: Limits.updateCheckSeconds)
                try await check.runIfDue()
                try await check.runIfDue()
                #expect(stub.arrivals.count == 3)
                #expect(try await update(harness, mia) == "99.1.0")
                var headers = HTTPFields.page
                headers[.authorization] = "Bearer \(mia)"
                let page = try await harness.client.executeRequest(
                    uri: "/admin", method: .get, headers: headers, body: nil)
                #expect(page.html.contains("Version 99.1.0 is available."))
                #expect(try await harness.send(.get, "/admin", token: mia).object()["version"] as? String == "0.1.0")
                harness.clock.advance(seconds: Limits.updateCheckSeconds)
                stub.reply(.ok, "Package: homeward\nVersion: \(Services.version)-1\n")
                try await check.runIfDue()
                #expect(try await update(harness, mia) == nil)
                let request = try #require(stub.arrivals.first)
                #expect(request.path == "/versions?channel=stable")
                #expect(request.headers[.userAgent] == "homeward")
                let names = Set(request.headers.map(\.name.canonicalName))
                #expect(names.subtracting(["user-agent", "host", "connection", "content-length"]).isEmpty, "\(names)")
            }
        }
    }

    @Test("H-19: Without the setting there is no check, and an address without https is refused")
    func off() async throws {
        try await withServer { harness async throws in
            #expect(harness.services.settings.updateURL == nil)
            let names = MaintenanceSequence.all(of: harness.services).flatMap(\.tasks).map(\.name)
            #expect(!names.contains("updates"))
        }
        await #expect(throws: SettingError.self) {
            try await withServer(settings: ["HOMEWARD_UPDATE_URL": "http://updates.example/x"]) { _ in }
        }
    }
}
