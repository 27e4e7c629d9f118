import Foundation
import HTTPTypes
import Kernel
import Synchronization
import TestSupport
import Testing

@testable import Hologram

@Suite("The client for Hologram's cloud")
struct HTTPHologramClientTests {
    private static let key = "qbeV4s9IPkHsR1234567890112456"
    private static var account: HologramKey { get throws { try #require(HologramKey(key)) } }
    private static let taken = #"{"success":true,"data":[{"deviceid":1234,"messageid":"9a9e55f0-a167-4d9d"}]}"#
    private static let start = Instant(millisecondsSince1970: 1_700_000_000_500)

    @Test("A message has the documented form, with numbers as numbers")
    func message() async throws {
        let cloud = StubServer()
        cloud.reply(.ok, Self.taken)
        try await cloud.serve { origin in
            try await HTTPHologramClient(url: origin + "/api/1/", key: try Self.account).send(
                HologramMessage(device: 1234, payload: [1, 2]))
        }
        let arrival = try #require(cloud.arrivals.first)
        #expect(arrival.method == "POST")
        #expect(arrival.path == "/api/1/devices/messages")
        let basic = Data("apikey:\(Self.key)".utf8).base64EncodedString()
        #expect(arrival.headers[.authorization] == "Basic \(basic)")
        #expect(arrival.headers[.contentType] == "application/json")
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(arrival.body)) as? [String: any Sendable] as NSDictionary?
        )
        let expected: NSDictionary = [
            "deviceids": [1234], "protocol": "TCP", "port": 4010, "base64data": "AQI=", "waitForResponse": false,
            "encrypted": false,
        ]
        #expect(body == expected)
        let text = String(decoding: arrival.body, as: UTF8.self)
        #expect(text.contains("[1234]") && text.contains("4010,") || text.contains("4010}"))
    }

    struct Refusal: Sendable {
        let status: HTTPResponse.Status
        var body = "{}"
        var headers: HTTPFields = [:]
        let failure: HologramFailure
    }

    @Test(
        "Each kind of refusal gives its own error",
        arguments: [
            Refusal(status: .unauthorized, failure: .wrongKey), Refusal(status: .forbidden, failure: .wrongKey),
            Refusal(
                status: .tooManyRequests, body: #"{"success":false,"error":"API rate limit exceeded"}"#,
                failure: .busy(seconds: nil)),
            Refusal(status: .tooManyRequests, headers: [.retryAfter: "7"], failure: .busy(seconds: 7)),
            Refusal(status: .tooManyRequests, headers: [.retryAfter: "-7"], failure: .busy(seconds: nil)),
            Refusal(status: .internalServerError, failure: .unavailable(status: 500)),
            Refusal(status: .serviceUnavailable, failure: .unavailable(status: 503)),
            Refusal(status: .notFound, failure: .refused(status: 404)),
            Refusal(status: .badRequest, failure: .refused(status: 400)),
            Refusal(status: .ok, body: #"{"success":false,"error":"no such device"}"#, failure: .refused(status: 200)),
            Refusal(status: .ok, body: "<html>", failure: .unreadable),
            Refusal(status: .found, headers: [.location: "http://127.0.0.1:1/"], failure: .refused(status: 302)),
        ])
    func refusals(_ refusal: Refusal) async throws {
        let cloud = StubServer()
        cloud.reply(refusal.status, headers: refusal.headers, refusal.body)
        try await cloud.serve { origin in
            await #expect(throws: refusal.failure) {
                try await HTTPHologramClient(url: origin + "/api/1", key: try Self.account).send(
                    HologramMessage(device: 1, payload: [1]))
            }
        }
        #expect(cloud.arrivals.count == 1)
    }

    @Test("No error contains the key, a missing server gives an error, and a large message isn't sent")
    func nobodyThere() async throws {
        let url = Mutex("")
        try await StubServer().serve { origin in url.withLock { $0 = origin + "/api/1" } }
        let client = HTTPHologramClient(url: url.withLock { $0 }, key: try Self.account)
        let failure = await #expect(throws: HologramFailure.self) {
            try await client.send(HologramMessage(device: 1, payload: [1]))
        }
        guard case .unreachable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!"\(String(describing: failure))".contains(Self.key))
        #expect(HologramKey("two words") == nil)
        var printed = ""
        dump((client, try Self.account), to: &printed)
        let basic = Data("apikey:\(Self.key)".utf8).base64EncodedString()
        for text in [printed, "\((client, try Self.account))", String(reflecting: (client, try Self.account))] {
            #expect(!text.contains(Self.key) && !text.contains(basic))
        }
        await #expect(throws: HologramFailure.tooLarge) {
            try await client.send(HologramMessage(device: 1, payload: [UInt8](repeating: 0, count: 7_501)))
        }
    }

    @Test("Records are queried by topic, time and page")
    func query() async throws {
        let cloud = StubServer()
        let page = #"{"success":true,"limit":100,"size":0,"continues":false,"data":[]}"#
        cloud.reply(.ok, page)
        cloud.reply(.ok, page)
        try await cloud.serve { origin in
            let client = HTTPHologramClient(url: origin + "/api/1", key: try Self.account)
            let first = try await client.records(HologramQuery(topic: "homeward", from: Self.start))
            #expect(first == HologramPage(records: [], continues: false))
            _ = try await client.records(
                HologramQuery(topic: "homeward", from: Self.start, until: Self.start.adding(seconds: 60), after: 77))
        }
        #expect(
            cloud.arrivals.map(\.path) == [
                "/api/1/csr/rdm?topicname=homeward&timestart=1700000000&limit=100",
                "/api/1/csr/rdm?topicname=homeward&timestart=1700000000&limit=100&timeend=1700000060&startafter=77",
            ])
    }
}

@Suite("Messages from Hologram's cloud")
struct DeliveryTests {
    private func json(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
    }

    @Test("The documented body of a route is parsed")
    func routed() throws {
        let body = """
            {"received":"2016-09-27T18:53:09.302915","authtype":"psk","tags":["TOPIC1","_DEVICE_12345_"],
             "device":{"id":5678,"name":"My Device"},"errorcode":0,"source":"abcd","timestamp":"0",
             "data":"SGVsbG8sIHdvcmxkIQo="}
            """
        let delivery = try #require(HologramDelivery(routed: Array(body.utf8)))
        #expect(delivery.device == 5678)
        #expect(delivery.content == Array("Hello, world!\n".utf8))
        #expect(delivery.receivedAt?.rfc3339 == "2016-09-27T18:53:09.302Z")
    }

    @Test(
        "Custom bodies of routes are parsed",
        arguments: [
            #"{"device_id":5678,"data":"AQI="}"#, #"{"deviceid":"5678","data":"AQI="}"#,
            #"{"device":{"id":"5678"},"data":"AQI=","received":"yesterday"}"#,
        ])
    func custom(body: String) {
        #expect(
            HologramDelivery(routed: Array(body.utf8))
                == HologramDelivery(device: 5678, content: [1, 2], receivedAt: nil)
        )
    }

    @Test(
        "Other bodies are rejected",
        arguments: [
            "", "[]", "{}", "null", #"{"device":{"id":5},"data":"%"}"#, #"{"device":{"id":-5},"data":"AQI="}"#,
            #"{"device":{"id":5.5},"data":"AQI="}"#, #"{"data":"AQI="}"#, #"{"device":{"id":5},"data":7}"#,
            #"{"device":{"id":99999999999999999999},"data":"AQI="}"#,
        ])
    func none(body: String) {
        #expect(HologramDelivery(routed: Array(body.utf8)) == nil)
    }

    @Test("A page of records has payloads in strings and ids as numbers or text; broken records are skipped")
    func page() throws {
        let payload = try json([
            "received": "2022-11-03T00:09:23+00:00", "authtype": "deviceid", "tags": ["homeward"], "data": "AQI=",
            "record_id": "a-b", "device_id": 1_827_718, "device_name": "x", "source": 1_827_718,
        ])
        let text = try json([
            "success": true, "limit": 25, "size": 4, "continues": true, "lastid": 5,
            "data": [
                ["id": 9, "logged": "2022-11-03 00:09:24", "deviceid": 1_827_718, "data": payload],
                ["id": "8", "logged": "?", "deviceid": 7, "data": "not JSON"],
                ["id": 6, "deviceid": 7, "data": #"{"data":"AQI="}"#],
                ["no": "id"], 17,
            ],
        ])
        let page = try #require(HologramPage(Array(text.utf8)))
        #expect(page.continues)
        #expect(page.records.map(\.id) == [9, 8, 6])
        #expect(page.records[0].loggedAt?.rfc3339 == "2022-11-03T00:09:24.000Z")
        #expect(
            page.records[0].delivery
                == HologramDelivery(
                    device: 1_827_718, content: [1, 2], receivedAt: Instant(rfc3339: "2022-11-03T00:09:23Z")))
        #expect(page.records[1].delivery == nil && page.records[1].loggedAt == nil)
        #expect(page.records[2].delivery?.device == 7)
        #expect(HologramPage(Array(#"{"success":false}"#.utf8)) == nil)
        #expect(HologramPage(Array("nothing".utf8)) == nil)
    }
}

@Suite("Back-off and webhook secrets")
struct BackOffTests {
    @Test("The rate limit delays by 5 to 10 seconds, or by the requested time")
    func busy() {
        let waits = (0..<2_000).compactMap { chance in
            HologramBackOff.milliseconds(after: .busy(seconds: nil), chance: chance &* 7_919)
        }
        #expect(waits.count == 2_000)
        #expect(waits.allSatisfy { (5_000...10_000).contains($0) })
        #expect(Set(waits).count > 100)
        #expect(HologramBackOff.milliseconds(after: .busy(seconds: 30), chance: 0) == 30_000)
        #expect(HologramBackOff.milliseconds(after: .busy(seconds: .max), chance: 0) == 3_600_000)
    }

    @Test("An outage doubles the delay up to five minutes")
    func outage() {
        let whole = (1...12).map { HologramBackOff.retries.longestMilliseconds(afterAttempt: $0) / 1_000 }
        #expect(whole == [5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300])
        #expect(HologramBackOff.milliseconds(after: .unavailable(status: 503), chance: 0) == 0)
        #expect(HologramBackOff.milliseconds(after: .wrongKey, chance: 0) == 900_000)
        #expect(
            (1...9).map(HologramBackOff.repeatSeconds) == [120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 21_600])
    }

    @Test("A webhook's secret must be long and plain, and any of several is accepted")
    func secrets() throws {
        #expect(WebhookSecret("short") == nil)
        #expect(WebhookSecret("with a space and long enough") == nil)
        let one = try #require(WebhookSecret("abcdefghijklmnopqrstuv"))
        let two = try #require(WebhookSecret("ABCDEFGHIJKLMNOPQRSTUV-_"))
        #expect(WebhookSecret.matches("ABCDEFGHIJKLMNOPQRSTUV-_", anyOf: [one, two]))
        #expect(WebhookSecret.matches("abcdefghijklmnopqrstuv", anyOf: [one, two]))
        #expect(!WebhookSecret.matches("abcdefghijklmnopqrstuV", anyOf: [one, two]))
        #expect(!WebhookSecret.matches("abcdefghijklmnopqrstuv", anyOf: []))
    }
}
