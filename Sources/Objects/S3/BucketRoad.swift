import AsyncHTTPClient
import Foundation
import Kernel
import NIOCore
import NIOHTTP1

/// A signed request on its way to a bucket.
struct BucketRequest: Sendable {
    let method: String
    let url: String
    let headers: [(name: String, value: String)]
    let body: [UInt8]
}

/// What the bucket's service answers.
struct BucketReply: Sendable {
    let status: Int
    /// By their names in lower case; of several with one name the first.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var isSuccess: Bool { 200...299 ~= status }
}

/// The road to buckets.
protocol BucketRoad: Sendable {
    /// - Parameter limit: bytes of a good answer; of a refusal not more than `Limits.bucketErrorBytes` are read.
    /// - Throws: ``ObjectStoreError/unreachable(_:)``, ``ObjectStoreError/tooLarge``.
    func send(_ request: BucketRequest, limit: Int) async throws(ObjectStoreError) -> BucketReply
}

/// The road over HTTP, on connections that are kept for the next request.
final class HTTPBucketRoad: BucketRoad {
    private let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        // A signature holds for one host.
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout = .init(
            connect: .seconds(Limits.bucketConnectSeconds), read: .seconds(Limits.bucketSilenceSeconds)
        )
        // The store itself tries again, and knows when to give up.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown(queue: .global(qos: .utility)) { _ in } }

    func send(_ request: BucketRequest, limit: Int) async throws(ObjectStoreError) -> BucketReply {
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
            let isGood = 200...299 ~= status
            let body = try await response.body.collect(upTo: isGood ? limit : Limits.bucketErrorBytes)
            return BucketReply(status: status, headers: headers, body: Array(body.readableBytesView))
        } catch is NIOTooManyBytesError {
            throw .tooLarge
        } catch {
            throw .unreachable((error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))")
        }
    }
}
