import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// Visits the administrator's pages, and the page of an invitation.
struct AdminPageCrawl {
    let contract: ContractServer

    /// - Parameters:
    ///   - cookie: an administrator's.
    ///   - visit: requests a page with a cookie.
    func walk(_ cookie: String, visit: ([String], String?) async throws -> Void) async throws {
        let link = try await created("/admin/invitations", cookie, finding: #/\/invitations\/[A-Za-z0-9_-]{20,}/#)
        try await visit([link], nil)
        let person = try await found("/admin/people", cookie, finding: #/\/admin\/people\/[0-9a-f-]{36}/#)
        try await visit([person], cookie)
        try await visit([person.replacing("/people/", with: "/wallets/")], cookie)
        let source = try await contract.browse("/tracking/sources", .post, form: "kind=osmand", cookie: cookie)
        #expect(source.status == .created)
        let tracker = try await found("/admin/trackers", cookie, finding: #/\/admin\/trackers\/[0-9a-f-]{36}/#)
        try await visit([tracker], cookie)
        let proof = try await contract.browse(
            "/account/proofs/administration", .post, form: "password=correct+horse", cookie: cookie)
        #expect(proof.status == .seeOther)
        _ = try await created("\(person)/reset-links", cookie, finding: #/\/password-resets\/[A-Za-z0-9_-]{20,}/#)
        try await visit(
            [
                "/admin", "/admin/people", person, "/admin/registration", "/admin/invitations", "/admin/jobs",
                "/admin/log", "/admin/checks", "/admin/mail",
                "/admin/backups", "/admin/providers", "/admin/push", "/admin/ledger", "/admin/wallets",
                "/admin/payout-requests", "/admin/payment-instructions",
                "/admin/trackers", "/admin/storage", person.replacing("/people/", with: "/storage/"),
                person.replacing("/people/", with: "/wallets/"),
            ], cookie)
    }

    private func created(
        _ path: String, _ cookie: String, finding pattern: Regex<Substring>
    ) async throws -> String {
        let answer = try await contract.browse(path, .post, form: "", cookie: cookie)
        #expect(answer.status == .created, "\(path)")
        return try link(in: answer, pattern)
    }

    private func found(_ path: String, _ cookie: String, finding pattern: Regex<Substring>) async throws -> String {
        try link(in: try await contract.browse(path, cookie: cookie), pattern)
    }

    private func link(in answer: TestResponse, _ pattern: Regex<Substring>) throws -> String {
        String(try #require(String(buffer: answer.body).firstMatch(of: pattern)).output)
    }
}
