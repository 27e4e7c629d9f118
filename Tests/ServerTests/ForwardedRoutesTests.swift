import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@Suite("Requests through reverse proxies")
struct ForwardedRoutesTests {
    /// A header of a proxy, with `{a}` for an IPv4 address, or `{n}` for the number of an IPv6 network.
    struct Form: Sendable, CustomTestStringConvertible {
        let header: String
        let value: String
        var testDescription: String { "\(header): \(value)" }

        func value(_ number: Int) -> String {
            value.replacing("{a}", with: "198.51.100.\(number)").replacing("{n}", with: "\(number)")
        }
    }

    private static let forms = [
        Form(header: "X-Forwarded-For", value: "{a}"), Form(header: "X-Forwarded-For", value: "{a}:5100{n}"),
        Form(header: "X-Forwarded-For", value: "6.6.6.6, {a}:51000"),
        Form(header: "X-Forwarded-For", value: "[2001:db8:{n}::1]:443"),
        Form(header: "X-Forwarded-For", value: "2001:db8:{n}::1"),
        Form(header: "Forwarded", value: "for={a};proto=https"),
        Form(header: "Forwarded", value: "for=unknown, for=\"[2001:db8:{n}::1]:443\""),
    ]

    private func register(_ harness: ServerHarness, _ header: String, _ value: String) async throws -> Int {
        let email = "p-\(UUID().uuidString.prefix(8).lowercased())@example.org"
        let body = """
            {"app":"tracking","email":"\(email)","password":"correct horse 1","name":"X","dateOfBirth":"1990-01-01"}
            """
        let headers: HTTPFields = [
            .contentType: "application/json", .accept: "application/json", try #require(HTTPField.Name(header)): value,
        ]
        return try await harness.client.executeRequest(
            uri: "/accounts", method: .post, headers: headers, body: ByteBuffer(string: body)
        ).status.code
    }

    @Test("Each client has a limit of its own, however its proxy writes the address", arguments: forms)
    func limits(form: Form) async throws {
        let settings = ["HOMEWARD_TRUSTED_PROXIES": "127.0.0.1 [::1]", "HOMEWARD_REGISTRATIONS_PER_HOUR": "1"]
        try await withServer(.sqlite, .live, settings: settings) { harness async throws in
            for number in 1...3 { #expect(try await register(harness, form.header, form.value(number)) == 201) }
            #expect(try await register(harness, form.header, form.value(2)) == 429)
            let health = try await harness.client.executeRequest(
                uri: "/health/live", method: .get,
                headers: [try #require(HTTPField.Name(form.header)): form.value(1)], body: nil)
            #expect(String(buffer: health.body).contains(#""client":"proxy""#))
        }
    }

    @Test("Headers of a proxy that isn't named, and those without an address, count for the proxy")
    func others() async throws {
        let settings = ["HOMEWARD_TRUSTED_PROXIES": "192.0.2.1", "HOMEWARD_REGISTRATIONS_PER_HOUR": "1"]
        try await withServer(.sqlite, .live, settings: settings) { harness async throws in
            #expect(try await register(harness, "Forwarded", "for=198.51.100.1") == 201)
            for header in ["Forwarded", "X-Forwarded-For", "X-Real-IP"] {
                let value = header == "Forwarded" ? "for=198.51.100.2" : "198.51.100.2"
                #expect(try await register(harness, header, value) == 429)
            }
        }
    }
}
