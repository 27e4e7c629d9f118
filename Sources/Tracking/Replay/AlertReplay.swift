import Kernel

/// Runs the rules on stored positions, the oldest first, and collects the alerts that they would have caused.
///
/// Positions are stored with the time of their measurement and not of their receipt, so late ones count in their order.
struct AlertReplay {
    private let rule: GeofenceRule?
    private let settings: GeofenceSettings?
    private let silentHours: Int?
    private var state = GeofenceRule.State()
    private var arrivedAt: Instant?
    private var deadline: Instant?
    private var isBatteryLow = false
    private var lastAt: Instant?
    private var parking: ParkingReplay
    private(set) var alerts: [ReplayedAlert] = []
    private(set) var fixCount = 0

    /// - Parameters:
    ///   - geofence: A rule about a place with its area; `nil` replays battery, silence and parking.
    ///   - silentHours: The hours of silence; `nil` for off.
    ///   - parkings: The item's parkings, in order.
    init(
        _ geofence: (settings: GeofenceSettings, area: SafeArea)?, silentHours: Int?, parkings: [PastParking] = []
    ) {
        parking = ParkingReplay(parkings)
        settings = geofence?.settings
        rule = geofence.map { GeofenceRule(area: $0.area, dwellSeconds: Double($0.settings.dwellMinutes * 60)) }
        self.silentHours = silentHours
    }

    mutating func add(_ fix: Fix) {
        fixCount += 1
        reportSilence(until: fix.at)
        reportDeadlines(until: fix.at)
        // Before the first position nothing is known.
        if lastAt == nil { deadline = settings?.nextDeadline(after: fix.at) }
        lastAt = fix.at
        let sample = PositionSample(
            at: fix.at, coordinate: fix.coordinate, accuracyMetres: fix.accuracyMetres,
            speedMetresPerSecond: fix.speedMetresPerSecond)
        guard let rule, let settings else {
            if parking.add(sample) { alerts.append(ReplayedAlert(kind: .moved, at: fix.at)) }
            guard let percent = fix.batteryPercent,
                let isLow = Battery.changedState(percent: percent, isLow: isBatteryLow)
            else { return }
            isBatteryLow = isLow
            if isLow { alerts.append(ReplayedAlert(kind: .batteryLow, at: fix.at)) }
            return
        }
        let before = state
        let step = rule.step(from: state, sample)
        state = step.state
        if before.isInside == nil, state.isInside == true { arrivedAt = fix.at }
        guard let crossing = step.crossing else { return }
        if crossing.isArrival { arrivedAt = crossing.since }
        guard settings.kind == (crossing.isArrival ? .arrive : .leave), settings.covers(crossing.since) else { return }
        alerts.append(ReplayedAlert(kind: crossing.isArrival ? .arrived : .left, at: crossing.since))
    }

    mutating func finish(at now: Instant) {
        reportSilence(until: now)
        reportDeadlines(until: now)
    }

    private mutating func reportSilence(until instant: Instant) {
        guard let silentHours, let lastAt else { return }
        let told = lastAt.adding(seconds: Int64(silentHours) * 3_600)
        if told < instant { alerts.append(ReplayedAlert(kind: .silent, at: told)) }
    }

    private mutating func reportDeadlines(until instant: Instant) {
        guard let settings else { return }
        while let dueAt = deadline, dueAt <= instant {
            let asked = settings.deadline(decidedAt: dueAt)
            if let later = state.decision(ofDeadline: asked), later > dueAt {
                deadline = later
                continue
            }
            let hasBeen = arrivedAt.map { $0 >= settings.startOfDay(of: asked) } ?? false
            if state.isInside != true, !hasBeen { alerts.append(ReplayedAlert(kind: .notArrived, at: asked)) }
            deadline = settings.nextDeadline(after: dueAt)
        }
    }
}
