import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

/// A person with a program (bearer token) and a browser (cookie) on the whole server.
protocol Visitor: Sendable {
    var server: ServerHarness { get }
    var token: String? { get }
    var cookie: String? { get }
}

extension Visitor {
    // MARK: JSON requests

    func send(
        _ method: HTTPRequest.Method, _ uri: String, json: [String: any Sendable]? = nil,
        headers: [String: String] = [:]
    ) async throws -> Reply {
        var fields: HTTPFields = [.accept: "application/json"]
        if let token { fields[.authorization] = "Bearer \(token)" }
        var body = ""
        if let json {
            fields[.contentType] = "application/json"
            body = String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self)
        }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return try await execute(method, uri, fields, body)
    }

    /// The person's notifications, the newest first.
    func notifications() async throws -> [JSONObject] {
        try await send(.get, "/notifications").object().list("items")
    }

    // MARK: Browser requests

    func page(_ uri: String, language: String = "en") async throws -> Reply {
        var fields = browserFields
        fields[.acceptLanguage] = language
        return try await execute(.get, uri, fields, "")
    }

    /// Requests a fragment, as a live update does.
    func fragment(_ uri: String) async throws -> Reply {
        var fields = browserFields
        fields[try #require(HTTPField.Name("HX-Request"))] = "true"
        return try await execute(.get, uri, fields, "")
    }

    /// Sends a form without scripts.
    func submit(
        _ uri: String, _ form: KeyValuePairs<String, String>, isFragment: Bool = false, language: String = "en"
    ) async throws -> Reply {
        var fields = browserFields
        fields[.contentType] = "application/x-www-form-urlencoded"
        fields[.acceptLanguage] = language
        if isFragment { fields[try #require(HTTPField.Name("HX-Request"))] = "true" }
        let pairs = form.map { pair in "\(Self.escaped(pair.key))=\(Self.escaped(pair.value))" }
        return try await execute(.post, uri, fields, pairs.joined(separator: "&"))
    }

    /// Sends a form that may contain files; its boundary is `x`.
    func submit(_ uri: String, multipart body: String) async throws -> Reply {
        var fields = browserFields
        fields[.contentType] = "multipart/form-data; boundary=x"
        return try await execute(.post, uri, fields, body)
    }

    /// Stores the proof that the browser of an administrator needs for acts on other accounts.
    func proveAdministration(return destination: String = "/admin/people") async throws {
        let proof = try await submit(
            "/account/proofs/administration", ["password": "correct horse", "return": destination])
        #expect(proof.status == 303)
        #expect(proof.header("location") == destination)
    }

    private var browserFields: HTTPFields {
        var fields: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
        if let cookie { fields[.cookie] = cookie }
        return fields
    }

    private func execute(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: String
    ) async throws -> Reply {
        let buffer = body.isEmpty ? nil : ByteBuffer(string: body)
        // Lists are ordered by creation time, to the millisecond.
        if method != .get { server.clock.advance(milliseconds: 1) }
        return Reply(
            try await server.client.executeRequest(uri: uri, method: method, headers: headers, body: buffer))
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension Reply {
    /// The names of the controls that are marked as invalid.
    var marked: Set<String> {
        let tags = text.split(separator: "<").map { $0.prefix { $0 != ">" } }
        let names = tags.filter { $0.contains("aria-invalid=\"true\"") }.compactMap { tag in
            tag.split(separator: " name=\"", maxSplits: 1).dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
        }
        return Set(names)
    }

    /// The tag of a form's control, without its last character.
    func control(_ id: String) throws -> String {
        let found = try #require(text.firstRange(of: " id=\"\(id)\""))
        let start = try #require(text[..<found.lowerBound].lastIndex(of: "<"))
        return String(text[start...].prefix { $0 != ">" })
    }
}
