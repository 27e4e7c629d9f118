import Foundation
package import Kernel

/// What a device sent to Hologram's cloud, by whichever way it came to us.
package struct HologramDelivery: Sendable, Equatable {
    /// The device's id at Hologram; only the cloud vouches for it.
    package let device: Int64
    /// What the device sent.
    package let content: [UInt8]
    /// When the cloud got it, by its own clock; `nil` where it doesn't say.
    package let receivedAt: Instant?

    /// Makes a delivery.
    package init(device: Int64, content: [UInt8], receivedAt: Instant?) {
        self.device = device
        self.content = content
        self.receivedAt = receivedAt
    }

    /// Reads what a route posts to a webhook, or puts into a bucket:
    /// `{"received":"…","device":{"id":1,"name":"…"},"data":"<base64>",…}`; also with `device_id` beside `data`, as
    /// custom bodies of routes have it. `nil` when it is neither.
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

/// One record of the cloud's log of what devices sent.
package struct HologramRecord: Sendable, Equatable {
    /// Grows from record to record.
    package let id: Int64
    /// When it was logged; `nil` where that can't be read.
    package let loggedAt: Instant?
    /// What the device sent; `nil` where that can't be read.
    package let delivery: HologramDelivery?

    /// Makes a record.
    package init(id: Int64, loggedAt: Instant?, delivery: HologramDelivery?) {
        self.id = id
        self.loggedAt = loggedAt
        self.delivery = delivery
    }
}

/// A page of records, newest first.
package struct HologramPage: Sendable, Equatable {
    /// The records.
    package let records: [HologramRecord]
    /// There are older ones.
    package let continues: Bool

    /// Makes a page.
    package init(records: [HologramRecord], continues: Bool) {
        self.records = records
        self.continues = continues
    }

    /// Reads an answer of `GET /csr/rdm`; `nil` when it is none.
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
        // The payload is JSON again, in a string.
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

// The names are the cloud's own.
private struct Payload: Decodable {
    struct Device: Decodable { let id: LooseInteger? }

    let received: String?
    let device: Device?
    let device_id: LooseInteger?
    let deviceid: LooseInteger?
    let data: String?
}

/// Stored answers hold the same ids as numbers and as text.
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

/// Flags come as true, 1 or "1".
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

/// An entry that must not take the others down with it.
private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// Times of Hologram: UTC, with or without a zone, `T` or a space, parts of a second or none.
enum HologramTime {
    static func instant(_ text: String) -> Instant? {
        if let instant = Instant(rfc3339: text) { return instant }
        return Instant(rfc3339: text.replacing(" ", with: "T") + "Z")
    }
}
