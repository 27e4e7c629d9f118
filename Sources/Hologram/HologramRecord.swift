import Foundation
package import Kernel

/// A device's message from Hologram's cloud, in the same form from webhook, bucket and log.
package struct HologramDelivery: Sendable, Equatable {
    /// The device's id at Hologram; only the cloud asserts it.
    package let device: Int64
    /// The device's payload.
    package let content: [UInt8]
    /// When the cloud received the message, by its own clock; `nil` when it sends no time.
    package let receivedAt: Instant?

    package init(device: Int64, content: [UInt8], receivedAt: Instant?) {
        self.device = device
        self.content = content
        self.receivedAt = receivedAt
    }

    /// Parses the body that a route posts to a webhook or puts into a bucket:
    /// `{"received":"…","device":{"id":1,"name":"…"},"data":"<base64>",…}`, also with `device_id` beside `data`, as
    /// custom bodies of routes have it. `nil` for any other body.
    package init?(routed body: [UInt8]) {
        guard let json = JSONReader.value(of: body), let payload = try? Payload(json),
            let delivery = payload.delivery(of: payload.device)
        else { return nil }
        self = delivery
    }
}

/// One record of the cloud's log of device messages.
package struct HologramRecord: Sendable, Equatable {
    /// Increases from record to record.
    package let id: Int64
    /// `nil` when it can't be parsed.
    package let loggedAt: Instant?
    /// `nil` when it can't be parsed.
    package let delivery: HologramDelivery?

    package init(id: Int64, loggedAt: Instant?, delivery: HologramDelivery?) {
        self.id = id
        self.loggedAt = loggedAt
        self.delivery = delivery
    }
}

/// A page of records, newest first.
package struct HologramPage: Sendable, Equatable {
    package let records: [HologramRecord]
    /// Whether older records exist.
    package let continues: Bool

    package init(records: [HologramRecord], continues: Bool) {
        self.records = records
        self.continues = continues
    }

    /// Parses a response of `GET /csr/rdm`; `nil` when it is invalid.
    init?(_ body: [UInt8]) {
        guard let json = JSONReader.value(of: body), json["success"]?.boolean == true,
            let data = try? json.optional("data", \.list) ?? [],
            let continues = try? json.optional("continues", \.looseFlag) ?? false
        else { return nil }
        records = data.compactMap { try? HologramRecord($0) }
        self.continues = continues
    }
}

extension HologramRecord {
    fileprivate init(_ json: JSONValue) throws(JSONTypeMismatch) {
        id = try json.required("id", \.looseInteger)
        loggedAt = try json.optional("logged", \.text).flatMap(HologramTime.instant)
        let device = try json.optional("deviceid", \.looseInteger)
        // The payload is a string with nested JSON.
        let nested = try json.optional("data", \.text).flatMap { JSONReader.value(of: Array($0.utf8)) }
        let payload = nested.flatMap { try? Payload($0) }
        delivery = payload?.delivery(of: payload?.device) ?? payload?.delivery(of: device)
    }
}

private struct Payload {
    let received: String?
    let device: Int64?
    let data: String?

    // The API defines these names.
    init(_ json: JSONValue) throws(JSONTypeMismatch) {
        received = try json.optional("received", \.text)
        let nested = try json.optional("device", \.object)?.optional("id", \.looseInteger)
        let device = try json.optional("device_id", \.looseInteger)
        let last = try json.optional("deviceid", \.looseInteger)
        self.device = nested ?? device ?? last
        data = try json.optional("data", \.text)
    }

    func delivery(of device: Int64?) -> HologramDelivery? {
        guard let device, device > 0, let data, let content = Data(base64Encoded: data) else { return nil }
        return HologramDelivery(
            device: device, content: Array(content), receivedAt: received.flatMap(HologramTime.instant)
        )
    }
}

extension JSONValue {
    /// Recorded responses have the same ids as numbers and as strings.
    fileprivate var looseInteger: Int64? { whole ?? text.flatMap { Int64($0) } }

    /// The API sends flags as true, 1 or "1".
    fileprivate var looseFlag: Bool? { boolean ?? looseInteger.map { $0 != 0 } }
}

/// Parses Hologram's times: UTC, with or without a zone, `T` or a space, with or without a fraction.
enum HologramTime {
    static func instant(_ text: String) -> Instant? {
        if let instant = Instant(rfc3339: text) { return instant }
        return Instant(rfc3339: text.replacing(" ", with: "T") + "Z")
    }
}
