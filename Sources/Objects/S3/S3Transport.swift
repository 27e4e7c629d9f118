import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// A signed request to a bucket.
struct S3Request: Sendable {
    let method: String
    let url: String
    let headers: [(name: String, value: String)]
    let body: [UInt8]
}

/// The response of a bucket's service.
struct S3Response: Sendable {
    let status: Int
    /// The headers by lower-case name; the first of several with one name.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var isSuccess: Bool { 200...299 ~= status }
}

/// The transport of requests to buckets.
protocol S3Transport: Sendable {
    /// Sends a request and returns the response.
    /// - Parameter limit: The maximum size in bytes of a successful response. The limit of an error response is
    ///   `Limits.bucketErrorBytes`.
    /// - Throws: ``ObjectStoreError/unreachable(_:)``, ``ObjectStoreError/tooLarge``.
    func send(_ request: S3Request, limit: Int) async throws(ObjectStoreError) -> S3Response
}

/// The transport over HTTP with persistent connections.
final class HTTPS3Transport: S3Transport {
    private let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        // A signature is valid for one host only.
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout = .init(
            connect: .seconds(Limits.bucketConnectSeconds), read: .seconds(Limits.bucketSilenceSeconds)
        )
        // The store retries and decides when to stop.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown(queue: .global(qos: .utility)) { _ in } }

    func send(_ request: S3Request, limit: Int) async throws(ObjectStoreError) -> S3Response {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for header in request.headers { outgoing.headers.add(name: header.name, value: header.value) }
        outgoing.headers.replaceOrAdd(name: "User-Agent", value: "homeward")
        if !request.body.isEmpty || request.method == "PUT" { outgoing.body = .bytes(request.body) }
        do {
            let response = try await client.execute(outgoing, timeout: .seconds(Limits.bucketRequestSeconds))
            let status = Int(response.status.code)
            let headers = Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
            )
            let isSuccess = 200...299 ~= status
            let body = try await response.body.collect(upTo: isSuccess ? limit : Limits.bucketErrorBytes)
            return S3Response(status: status, headers: headers, body: Array(body.readableBytesView))
        } catch is NIOTooManyBytesError {
            throw .tooLarge
        } catch {
            throw .unreachable((error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))")
        }
    }
}
