import Accounts
import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// Checks for a newer version of the program once a day, if `HOMEWARD_UPDATE_URL` is set. The request contains nothing
/// about this server.
struct UpdateCheck: Sendable {
    let url: String
    let updates: UpdateNoticeService

    /// The document can't be used.
    enum Failure: Error {
        case status(Int)
        case noVersion
    }

    /// Reads the document if the last check is older than a day, and stores the newest version for administrators.
    func runIfDue() async throws {
        guard try await updates.isCheckDue() else { return }
        let document = try await read()
        let newest = VersionDocument.newest(in: document)
        // A document without a version won't have one within the hour either.
        try await updates.record(newest?.text)
        if newest == nil { throw Failure.noVersion }
    }

    private func read() async throws -> [UInt8] {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        // The next maintenance retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: url)
            request.headers.add(name: "User-Agent", value: "homeward")
            let response = try await client.execute(request, timeout: .seconds(Limits.updateSeconds))
            guard response.status == .ok else { throw Failure.status(Int(response.status.code)) }
            return Array(try await response.body.collect(upTo: Limits.updateDocumentBytes).readableBytesView)
        }
    }
}
