import Foundation
import HTTPTypes
import HummingbirdTesting
import Server
import TestSupport
import Testing

@Suite("Access to the import of an account")
struct AccountImportAccessTests {
    private static let routes: [(method: HTTPRequest.Method, path: String)] = [
        (.get, "/account/import"), (.post, "/account/import"), (.post, "/account/import/run"),
        (.delete, "/account/import"),
    ]

    @Test("H-20: A child and a locked session import nothing")
    func refused() async throws {
        try await withChildren { fixture async throws in
            for route in Self.routes {
                let answer = try await fixture.asChild(route.method, route.path, "{}")
                #expect(answer.status == .forbidden, "\(route.method) \(route.path)")
            }
            let passcode = #"{"passcode":"271828","repeat":"271828"}"#
            #expect(try await fixture.asParent(.put, "/lock/passcode", passcode).status == .noContent)
            #expect(try await fixture.asParent(.delete, "/lock/unlocking").status == .noContent)
            for route in Self.routes {
                let answer = try await fixture.asParent(route.method, route.path, "{}")
                #expect(answer.status.code == 423, "\(route.method) \(route.path)")
            }
        }
    }
}
