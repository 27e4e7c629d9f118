import Carrepsa
import Kernel
import WebCore

/// *Call* and *Write* at the top of a package's page.
struct PackageContactBar: Sendable {
    let callURL: String?
    /// `nil` if there is nothing to read, and the reader can't write.
    let messagesURL: String?
    /// *Write*, or the number of messages that the reader hasn't read.
    let messagesLabel: String
    /// The CSS class.
    let messagesStyle: String

    /// - Returns: `nil` for people without a conversation about the package.
    init?(_ details: PackageDetails, now: Instant, _ t: Translator) {
        let package = details.package
        let url = CarrepsaPath.messages(package.id)
        if details.role == .operator {
            // A dispute that the clock opened doesn't show the messages to administrators.
            guard package.state == .travelling, package.disputedBy == .owner || package.disputedBy == .carrier else {
                return nil
            }
            (callURL, messagesURL, messagesLabel, messagesStyle) = (nil, url, t("Messages"), "button-secondary")
            return
        }
        guard let contact = details.contact else { return nil }
        let isOpen = contact.closesAt.map { now < $0 } ?? true
        let canWrite = isOpen && !contact.isBlocked
        guard canWrite || contact.messages > 0 || contact.phone != nil else { return nil }
        callURL = contact.phone.map { "tel:\($0)" }
        messagesURL = canWrite || contact.messages > 0 ? url : nil
        if contact.unread > 0 {
            messagesLabel = t("{n} new message", plural: "{n} new messages", count: Int(contact.unread))
            messagesStyle = "button-primary"
        } else {
            messagesLabel = canWrite ? t("Write") : t("Messages")
            messagesStyle = "button-secondary"
        }
    }
}
