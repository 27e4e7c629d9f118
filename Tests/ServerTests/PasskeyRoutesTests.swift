import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import TestSupport
import Testing
import WebCore

@Suite("Routes of passkeys")
struct PasskeyRoutesTests {
    private static let proof = """
        {"rawId":"AQ","response":{"clientDataJSON":"e30","authenticatorData":"AQ","signature":"AQ"}}
        """
    private static let registration = """
        {"rawId":"AQ","response":{"clientDataJSON":"e30","attestationObject":"AQ","transports":["internal"]}}
        """

    private static func setPasscode(_ server: ServerHarness, _ token: String) async throws {
        let answer = try await server.send(
            .put, "/lock/passcode", #"{"passcode":"271828","repeat":"271828"}"#, token: token)
        #expect(answer.status == .noContent)
    }

    @Test("A challenge is created only for permitted requests")
    func questions() async throws {
        try await withServer { server async throws in
            let path = "/lock/passkeys/challenge"
            let token = try await server.join()
            #expect(try await server.send(.post, path, #"{"purpose":"register"}"#).status == .unauthorized)
            for body in [#"{"purpose":"sign-in"}"#, #"{"purpose":5}"#, "{}"] {
                let answer = try await server.send(.post, path, body, token: token)
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.errorFields() == ["purpose"])
            }
            let unlocking = try await server.send(.post, path, #"{"purpose":"unlock"}"#, token: token)
            #expect(unlocking.status == .conflict)
            let bare = try await server.send(.post, path, #"{"purpose":"register"}"#, token: token)
            #expect(bare.status == .unprocessableContent)
            #expect(try bare.errorFields() == ["password"])
            let options = try await server.send(
                .post, path, #"{"purpose":"register","password":"correct horse"}"#, token: token)
            #expect(options.status == .created)
            #expect(options.headers[.cacheControl] == "private, no-store")
            let object = try options.object()
            #expect((object["rp"] as? [String: String])?["id"] == "localhost")
            #expect((object["challenge"] as? String)?.count == 43)
            #expect(options.headers[.setCookie] == nil)
        }
    }

    @Test("A locked session can only request an assertion, and no other passkey route")
    func locked() async throws {
        try await withServer { server async throws in
            let token = try await server.join()
            try await Self.setPasscode(server, token)
            #expect(try await server.send(.delete, "/lock/unlocking", token: token).status == .noContent)
            let path = "/lock/passkeys/challenge"
            #expect(try await server.send(.post, path, #"{"purpose":"register"}"#, token: token).status.code == 423)
            #expect(try await server.send(.post, path, #"{"purpose":"unlock"}"#, token: token).status == .conflict)
            #expect(try await server.send(.post, "/lock/passkeys", Self.registration, token: token).status.code == 423)
            for path in ["/account/passkeys", "/account/touch-id"] {
                #expect(try await server.send(.get, path, token: token).status.code == 423)
            }
            #expect(
                try await server.send(.put, "/account/touch-id", #"{"enabled":true}"#, token: token).status.code == 423)
            let lock = try await server.send(.get, "/lock", token: token).object()
            #expect(lock["locked"] as? Bool == true)
            #expect(lock["passkeySet"] as? Bool == false)
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let what: String
        let body: String
        let fields: [String]
        var testDescription: String { what }
    }

    @Test(
        "A malformed browser response gets an error for its field",
        arguments: [
            Refused(what: "nothing", body: "{}", fields: ["rawId", "response.clientDataJSON", "response.x"]),
            Refused(
                what: "no base64url",
                body: #"{"rawId":"A+/=","response":{"clientDataJSON":"e30=","x":"AQ","signature":"AQ"}}"#,
                fields: ["rawId", "response.clientDataJSON"]),
            Refused(
                what: "numbers", body: #"{"rawId":1,"response":{"clientDataJSON":2,"x":"AQ","signature":"AQ"}}"#,
                fields: ["rawId", "response.clientDataJSON"]),
        ])
    func malformed(sample: Refused) async throws {
        try await withServer { server async throws in
            let token = try await server.join()
            let routes: [(String, String, String?)] = [
                ("/lock/passkeys", "attestationObject", token),
                ("/lock/passkeys/unlocking", "authenticatorData", token),
                ("/sign-in/passkey", "authenticatorData", nil),
            ]
            for (path, name, token) in routes {
                let body = sample.body.replacing("\"x\"", with: "\"\(name)\"")
                let answer = try await server.send(.post, path, body, token: token)
                #expect(answer.status == .unprocessableContent, "\(path)")
                var expected = sample.fields.map { $0.replacing(".x", with: ".\(name)") }
                if sample.body == "{}", name != "attestationObject" { expected.append("response.signature") }
                #expect(try answer.errorFields() == expected.sorted(), "\(path)")
            }
        }
    }

    @Test("Before sign-in, the challenge is tied to a cookie that scripts and other sites can't read")
    func signIn() async throws {
        try await withServer { server async throws in
            let asked = try await server.send(.post, "/sign-in/passkey/challenge", "{}")
            #expect(asked.status == .created)
            #expect((try asked.object()["allowCredentials"] as? [Any])?.isEmpty == true)
            let cookie = try #require(asked.headers[.setCookie])
            #expect(cookie.hasPrefix("homeward-passkey="))
            for attribute in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=300"] {
                #expect(cookie.contains(attribute))
            }
            let refused = try await server.send(.post, "/sign-in/passkey", Self.proof)
            #expect(refused.status == .unauthorized)
            #expect(try refused.errorFields() == [])
            #expect(refused.headers[.setCookie] == nil)
            var headers = HTTPFields.page
            headers[.secFetchSite] = "cross-site"
            for path in ["/sign-in/passkey/challenge", "/sign-in/passkey"] {
                let denied = try await server.client.executeRequest(
                    uri: path, method: .post, headers: headers, body: ByteBuffer(string: ""))
                #expect(denied.status == .forbidden)
            }
        }
    }

    @Test("The choice is stored, and requires a passcode and a passkey")
    func touchID() async throws {
        try await withServer { server async throws in
            let token = try await server.join()
            func choice() async throws -> [String: Bool] {
                try await server.send(.get, "/account/touch-id", token: token).object().compactMapValues { $0 as? Bool }
            }
            func choose(_ body: String) async throws -> HTTPResponse.Status {
                try await server.send(.put, "/account/touch-id", body, token: token).status
            }
            #expect(try await choice() == ["available": false, "enabled": false, "decided": false])
            #expect(try await choose(#"{"enabled":false}"#) == .conflict)
            try await Self.setPasscode(server, token)
            #expect(try await choice() == ["available": true, "enabled": false, "decided": false])
            #expect(try await choose("{}") == .unprocessableContent)
            #expect(try await choose(#"{"enabled":true}"#) == .conflict)
            #expect(try await choose(#"{"enabled":false}"#) == .ok)
            #expect(try await choice() == ["available": true, "enabled": false, "decided": true])
        }
    }

    @Test("Other people's passkeys are not found, and unknown ones can't be removed")
    func list() async throws {
        try await withServer { server async throws in
            let token = try await server.join()
            let list = try await server.send(.get, "/account/passkeys", token: token)
            #expect(list.status == .ok)
            #expect((try list.object()["items"] as? [Any])?.isEmpty == true)
            #expect(try await server.send(.get, "/account/passkeys").status == .unauthorized)
            let id = "0190a1b2-c3d4-7000-8000-000000000001"
            #expect(try await server.send(.delete, "/account/passkeys/\(id)", token: token).status == .notFound)
            #expect(try await server.send(.delete, "/account/passkeys/x", token: token).status == .notFound)
        }
    }

    @Test("Pages say what requires scripts, and hide nothing else")
    func pages() async throws {
        try await withAccountsSite { site async throws in
            let cookie = try await site.signUpInBrowser()
            let page = try await site.get("/account/passkeys", .browser(cookie))
            page.expectRenders("/account/passkeys")
            #expect(page.html.contains("need JavaScript"))
            let away = try await site.get("/account/touch-id", .browser(cookie))
            #expect(away.status == .seeOther)
            #expect(away.headers[.location] == "/account/lock")
            let signIn = try await site.get("/sign-in")
            #expect(signIn.html.contains("autocomplete=\"username webauthn\""))
            #expect(signIn.html.contains("Sign in with a passkey"))
        }
    }
}
