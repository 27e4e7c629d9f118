import Kernel
import Notifications
import Storage

/// Evaluates the rules for a low battery and for parked items in the transaction that stores a report.
struct HealthAlertService: Sendable {
    let alerts: ItemAlertRecorder

    /// Compares the reported battery level with the stored state, and notifies of a discharge once.
    func evaluateBattery(
        _ item: ID<Item>, percent: Int?, isLow: Bool, at: Instant, now: Instant, in tx: Transaction
    ) throws {
        guard let percent, let isLowNow = Battery.changedState(percent: percent, isLow: isLow) else { return }
        try HealthStore.setBatteryLow(isLowNow, of: item, in: tx)
        guard isLowNow, let owned = try ItemStore.served(item, in: tx) else { return }
        try alerts.record(
            .batteryLow, about: .init(owned), AlertEvidence(percent: percent),
            details: ["percent": String(percent)], key: at, now: now, in: tx)
    }

    /// Compares a parked item's new last position with the place where it was parked.
    func evaluateParking(_ item: ID<Item>, _ samples: [PositionSample], now: Instant, in tx: Transaction) throws {
        guard var parking = try HealthStore.parking(of: item, in: tx) else { return }
        let before = parking
        for sample in samples {
            switch ParkingRule.step(parking, sample) {
            case .unchanged: continue
            case .changed(let changed): parking = changed
            case .moved(let distance):
                return try end(parking, of: item, sample, distanceMetres: distance, now: now, in: tx)
            }
        }
        if parking != before { try HealthStore.park(item, parking, in: tx) }
    }

    private func end(
        _ parking: Parking, of item: ID<Item>, _ sample: PositionSample, distanceMetres: Double, now: Instant,
        in tx: Transaction
    ) throws {
        try HealthStore.park(item, nil, in: tx)
        try ParkingHistoryStore.end(item, now: now, in: tx)
        guard let owned = try ItemStore.served(item, in: tx) else { return }
        let evidence = AlertEvidence(
            positions: (parking.position.map { [.init(.parked, $0)] } ?? []) + [.init(.item, sample)],
            distanceMetres: distanceMetres,
            limitMetres: ParkingRule.marginMetres, since: parking.since)
        try alerts.record(
            .moved, about: .init(owned), evidence, at: sample.coordinate,
            details: [
                "distanceMetres": String(Int(distanceMetres.rounded())), "lastSeenAt": sample.at.rfc3339,
            ], key: parking.since, now: now, in: tx)
    }
}

extension Coordinate {
    /// The form in the details of a notification: `60.17,24.94`.
    var plainText: String { PlainDecimal.text(latitude) + "," + PlainDecimal.text(longitude) }
}
