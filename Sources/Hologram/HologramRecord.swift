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
        guard JSONSyntax.isValid(body), let payload = try? JSONDecoder().decode(Payload.self, from: Data(body)),
            let delivery = HologramDelivery(payload)
        else { return nil }
        self = delivery
    }

    fileprivate init?(_ payload: Payload) {
        let device = payload.device?.id?.value ?? payload.device_id?.value ?? payload.deviceid?.value
        guard let device, device > 0, let text = payload.data, let content = Data(base64Encoded: text) else {
            return nil
        }
        self.init(device: device, content: Array(content), receivedAt: payload.received.flatMap(HologramTime.instant))
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
        guard JSONSyntax.isValid(body), let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)),
            answer.success
        else { return nil }
        records = (answer.data ?? []).compactMap { $0.value.flatMap(HologramRecord.init) }
        continues = answer.continues?.value ?? false
    }

    private struct Answer: Decodable {
        let success: Bool
        let continues: LooseFlag?
        let data: [Lossy<RecordBody>]?
    }
}

extension HologramRecord {
    fileprivate init?(_ body: RecordBody) {
        guard let id = body.id?.value else { return nil }
        self.id = id
        loggedAt = body.logged.flatMap(HologramTime.instant)
        // The payload is a string with nested JSON.
        let payload = body.data.flatMap { text in
            JSONSyntax.isValid(Array(text.utf8)) ? try? JSONDecoder().decode(Payload.self, from: Data(text.utf8)) : nil
        }
        let delivery = payload.flatMap(HologramDelivery.init)
        if delivery == nil, let text = payload?.data, let device = body.deviceid?.value, device > 0,
            let content = Data(base64Encoded: text)
        {
            self.delivery = HologramDelivery(
                device: device, content: Array(content), receivedAt: payload?.received.flatMap(HologramTime.instant)
            )
        } else {
            self.delivery = delivery
        }
    }
}

private struct RecordBody: Decodable {
    let id: LooseInteger?
    let logged: String?
    let deviceid: LooseInteger?
    let data: String?
}

// The API defines these names.
private struct Payload: Decodable {
    struct Device: Decodable { let id: LooseInteger? }

    let received: String?
    let device: Device?
    let device_id: LooseInteger?
    let deviceid: LooseInteger?
    let data: String?
}

/// Recorded responses have the same ids as numbers and as strings.
private struct LooseInteger: Decodable {
    let value: Int64

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            value = number
        } else if let number = Int64(try container.decode(String.self)) {
            value = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no whole number")
        }
    }
}

/// The API sends flags as true, 1 or "1".
private struct LooseFlag: Decodable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            value = flag
        } else {
            value = try container.decode(LooseInteger.self).value != 0
        }
    }
}

/// An array entry whose decoding error doesn't fail the whole array.
private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// Parses Hologram's times: UTC, with or without a zone, `T` or a space, with or without a fraction.
enum HologramTime {
    static func instant(_ text: String) -> Instant? {
        if let instant = Instant(rfc3339: text) { return instant }
        return Instant(rfc3339: text.replacing(" ", with: "T") + "Z")
    }
}
