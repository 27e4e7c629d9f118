import Accounts
import Kernel
import Notifications
import WebCore

/// The view model of push messages.
struct PushPage: Sendable {
    let shell: Shell
    /// The error message above the devices.
    let problem: String?
    let formURL: String
    let isEmpty: Bool
    let devices: [PushDeviceRow]
    let facts: [AdminFact]

    init(_ context: SignedInContext, _ details: PushAdministrationService.Details, error: AppError? = nil) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        problem = error?.message
        formURL = "\(AdminPath.push)/tests"
        devices = details.devices.map { PushDeviceRow($0, isHere: $0.session == context.actor.session, t, times) }
        isEmpty = devices.isEmpty
        facts = [AdminFact(factLabel: t("Public key"), factText: details.publicKey)]
        shell = .admin(context, title: t("Notifications"))
    }
}

/// One of the administrator's devices.
struct PushDeviceRow: Sendable {
    let deviceID: String
    let name: String
    let serviceText: String
    let moment: FormattedTime
    let testLabel: String

    init(_ device: SubscribedDevice, isHere: Bool, _ t: Translator, _ times: TimeFormatter) {
        deviceID = device.id.description
        let shown = DeviceName.text(device.name, t)
        name = isHere ? t("{name} (this device)", ["name": shown]) : shown
        serviceText = device.service
        moment = FormattedTime(device.subscribedAt, times)
        testLabel = t("Test notification to {name}", ["name": name])
    }
}

extension PushTestResult {
    /// Returns what the push service responded and what to do.
    func text(_ t: Translator) -> String {
        switch self {
        case .accepted: t("The push service accepted it. It should appear in a moment.")
        case .expired: t("The push service no longer knows this device. Turn notifications on there again.")
        case .refused(let status):
            t(
                """
                The push service rejects the message (status {status}). If data/push.key was replaced, turn notifications \
                on again.
                """,
                ["status": String(status)])
        case .busy(let status):
            t("The push service is busy (status {status}). Try again later.", ["status": String(status)])
        case .unreachable: t("The push service doesn’t respond. Check that this server reaches the internet.")
        case .notPublic: t("The push service’s name leads to an address that isn’t public. Check this server’s DNS.")
        case .hostNotAllowed:
            t("This server doesn’t send to this push service. Add its host to HOMEWARD_PUSH_HOSTS.")
        }
    }
}
