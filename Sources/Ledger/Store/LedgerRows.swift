import Storage

/// A row of `ledger_account`.
struct AccountRow {
    let id: String
    let unit: String
    let overdraft: Int64
    var balance: Int64
    var movements: Int64
    let openedAt: Int64
    let digest: [UInt8]

    static let columns: SQL = "id, unit, may_overdraw, balance, movements, opened_at, digest"

    var mayOverdraw: Bool { overdraft != 0 }

    /// Returns the content that the digest covers.
    func image(trackingColumns: Bool = false) -> RowImage {
        var image = RowImage("account", trackingColumns: trackingColumns)
        image.append(id, "id")
        image.append(unit, "unit")
        image.append(overdraft, "may_overdraw")
        image.append(balance, "balance")
        image.append(movements, "movements")
        image.append(openedAt, "opened_at")
        return image
    }
}

extension AccountRow {
    /// - Parameter row: a row that selects ``columns``.
    init(_ row: Row) throws {
        id = try row.get(at: 0)
        unit = try row.get(at: 1)
        overdraft = try row.get(at: 2)
        balance = try row.get(at: 3)
        movements = try row.get(at: 4)
        openedAt = try row.get(at: 5)
        digest = try row.get(at: 6)
    }
}

/// A row of `ledger_transfer`, without its batch.
struct TransferRow {
    let id: String
    let kind: String
    let subject: String?
    let at: Int64
    let reverses: String?
    let legs: String
    var digest: [UInt8] = []

    static let columns: SQL = "id, kind, subject, at, reverses, legs, digest"

    /// Returns the content that the digest covers.
    func image(trackingColumns: Bool = false) -> RowImage {
        var image = RowImage("transfer", trackingColumns: trackingColumns)
        image.append(id, "id")
        image.append(kind, "kind")
        image.append(subject, "subject")
        image.append(at, "at")
        image.append(reverses, "reverses")
        image.append(legs, "legs")
        return image
    }
}

extension TransferRow {
    /// - Parameter row: a row that selects ``columns``.
    init(_ row: Row) throws {
        id = try row.get(at: 0)
        kind = try row.get(at: 1)
        subject = try row.get(at: 2)
        at = try row.get(at: 3)
        reverses = try row.get(at: 4)
        legs = try row.get(at: 5)
        digest = try row.get(at: 6)
    }
}

/// A row as unambiguous bytes: numbers have 8 bytes, and a length precedes each text.
struct RowImage {
    struct Column {
        let name: String
        let bytes: Range<Int>
    }

    private(set) var bytes: [UInt8] = []
    private(set) var columns: [Column] = []
    private let isTracking: Bool

    /// - Parameter trackingColumns: whether to fill ``columns``.
    init(_ table: StaticString, trackingColumns: Bool = false) {
        isTracking = trackingColumns
        bytes.reserveCapacity(512)
        append(table.description, "")
    }

    mutating func append(_ number: Int64, _ column: StaticString) {
        let start = bytes.count
        append(UInt64(bitPattern: number))
        track(column, from: start)
    }

    mutating func append(_ text: String, _ column: StaticString) {
        append(UInt64(text.utf8.count))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        track(column, from: start)
    }

    mutating func append(_ text: String?, _ column: StaticString) {
        if let text { append(text, column) } else { append(UInt64.max) }
    }

    mutating func append(_ blob: [UInt8], _ column: StaticString) {
        append(UInt64(blob.count))
        let start = bytes.count
        bytes.append(contentsOf: blob)
        track(column, from: start)
    }

    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func track(_ column: StaticString, from start: Int) {
        guard isTracking, start < bytes.count else { return }
        columns.append(Column(name: column.description, bytes: start..<bytes.count))
    }
}
