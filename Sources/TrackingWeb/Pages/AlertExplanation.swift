import Accounts
import Kernel
import Tracking
import WebCore

/// The words that say what happened and why a rule reported it.
struct AlertExplanation: Sendable {
    let title: String
    let reasons: [String]

    init(_ alert: ItemAlert, itemName: String, t: Translator, formatter: TrackingFormatter) {
        let evidence = alert.evidence
        let distance = evidence.distanceMetres.map(formatter.distance) ?? "–"
        let limit = evidence.limitMetres.map { formatter.distance(Double($0)) } ?? "–"
        let name: KeyValuePairs = ["name": itemName]
        switch alert.kind {
        case .separation:
            title = t("{name} was too far from your phone", name)
            reasons = Self.separation(evidence, distance: distance, limit: limit, t)
        case .batteryLow:
            title = t("The battery of {name} was low", name)
            reasons = [
                t(
                    "The tracker reported {percent}. At {limit} or less, a battery is low.",
                    [
                        "percent": formatter.percent(evidence.percent ?? 0),
                        "limit": formatter.percent(Battery.lowPercent),
                    ]),
                t(
                    "The next alert comes only after the battery was at {percent} or more.",
                    ["percent": formatter.percent(Battery.chargedPercent)]),
            ]
        case .silent:
            title = t("{name} didn’t report", name)
            reasons = [
                t(
                    "No report came for {n} hour, as set for this item.",
                    plural: "No report came for {n} hours, as set for this item.", count: evidence.silentHours ?? 0),
                t("The next alert comes only after a new report."),
            ]
        case .moved:
            title = t("{name} moved while it was parked", name)
            reasons = [
                t("It was {distance} from the place where it was parked.", ["distance": distance]),
                t(
                    """
                    Two positions in a row were farther than {limit} away, even after twice the accuracy of both \
                    positions was subtracted.
                    """, ["limit": limit]),
                t("The parking ended with this alert."),
            ]
        case .arrived, .left:
            let place: KeyValuePairs = ["name": itemName, "place": evidence.area?.name ?? ""]
            title = alert.kind == .arrived ? t("{name} arrived at {place}", place) : t("{name} left {place}", place)
            reasons = Self.crossing(evidence, isArrival: alert.kind == .arrived, t, formatter)
        case .notArrived:
            title = t(
                "{name} wasn’t at {place} by {clock}",
                ["name": itemName, "place": evidence.area?.name ?? "", "clock": evidence.by ?? ""])
            reasons = [
                Self.lastPosition(evidence, t, formatter),
                t("It had not arrived since {start}.", ["start": evidence.start ?? "00:00"]),
            ]
        }
    }

    private static func separation(
        _ evidence: AlertEvidence, distance: String, limit: String, _ t: Translator
    ) -> [String] {
        let isSure = evidence.mode == AlertMode.whenSure.rawValue
        let device = evidence.nearestPhone?.device
        return [
            device.map {
                t(
                    "It was {distance} from your device ({device}). Your limit for it was {limit}.",
                    ["distance": distance, "device": DeviceName.text($0, t), "limit": limit])
            }
                ?? t(
                    "It was {distance} from the nearest of your phones. Your limit for it was {limit}.",
                    ["distance": distance, "limit": limit]),
            isSure
                ? t(
                    """
                    Your alerts were set to “Only when sure”: several positions in a row were farther apart than their \
                    accuracy and movement explain.
                    """)
                : t("Your alerts were set to “Every time”: the positions count as they are, without their accuracy."),
            t("It wasn’t in any of the safe places that you had at the time."),
        ]
    }

    private static func lastPosition(
        _ evidence: AlertEvidence, _ t: Translator, _ formatter: TrackingFormatter
    ) -> String {
        guard !evidence.positions.isEmpty else { return t("There was no position of it.") }
        let metres = evidence.distanceMetres ?? 0
        guard metres.rounded() > 0 else {
            return t(
                """
                Its last position was inside the place’s border, but it was too inaccurate, or no second position \
                confirmed it.
                """)
        }
        return t(
            "Its last position was {distance} outside the place’s border.", ["distance": formatter.distance(metres)])
    }

    private static func crossing(
        _ evidence: AlertEvidence, isArrival: Bool, _ t: Translator, _ formatter: TrackingFormatter
    ) -> [String] {
        let away = formatter.distance(abs(evidence.distanceMetres ?? 0))
        let minutes = evidence.dwellMinutes ?? 0
        return [
            isArrival
                ? t("Its position was {distance} inside the place’s border.", ["distance": away])
                : t("Its position was {distance} outside the place’s border.", ["distance": away]),
            t("Two positions in a row were on this side for sure, given their accuracy."),
            minutes == 0
                ? t("The rule has no waiting time.")
                : t(
                    "It had been there for {n} minute, as the rule requires.",
                    plural: "It had been there for {n} minutes, as the rule requires.", count: minutes),
        ]
    }
}

extension AlertEvidence {
    /// The phone from which the distance of a separation was measured.
    fileprivate var nearestPhone: Position? {
        guard let item = positions.first(where: { $0.role == .item })?.coordinate else { return nil }
        return positions.filter { $0.role == .phone }.min { first, second in
            let metres = { (phone: Position) in phone.coordinate?.distanceMetres(to: item) ?? .infinity }
            return metres(first) < metres(second)
        }
    }
}
