import WebCore
@testable import Accounts
@testable import Carrepsa
@testable import CarrepsaWeb
@testable import Family
@testable import Hologram
@testable import Kernel
@testable import Notifications
@testable import Recurrence
import TrackerProtocol
@testable import Tracking

/// Texts that people type, scan or send as a part of a body or an address.
extension OutsideReader {
    private static let now = Instant(millisecondsSince1970: 1_767_225_600_000)

    static let texts: [OutsideReader] = [
        text("name", "Kernel/DisplayName.swift", "Kernel/TextValidation.swift", limit: Limits.bodyBytes) {
            _ = try DisplayName($0)
        },
        text("description", "Kernel/TextValidation.swift", "Kernel/MarkupText.swift", limit: Limits.bodyBytes) {
            let text = try TextValidation.lines(
                $0, characters: Limits.descriptionCharacters, bytes: Limits.descriptionBytes)
            _ = MarkupText.html(text ?? "")
        },
        text("search", "Kernel/SearchText.swift", limit: Limits.queryBytes) {
            _ = SearchText($0).isFound(in: SearchText("a bag of keys"))
        },
        text("place search", "Carrepsa/Rules/PlaceName.swift", limit: Limits.queryBytes) {
            _ = PlaceName.search($0)
            _ = try PlaceName($0)
        },
        text(
            "email address", "Accounts/Rules/EmailAddress.swift", limit: Limits.bodyBytes,
            frames: [("", ""), ("a@", "")]
        ) {
            _ = EmailAddress($0)
        },
        text("phone number", "Accounts/Rules/PhoneNumber.swift", limit: Limits.bodyBytes) { _ = PhoneNumber($0) },
        text("password", "Accounts/Rules/Password.swift", limit: Limits.bodyBytes) {
            _ = try Password(checking: $0)
            _ = try Password(choosing: $0)
        },
        text("passcode", "Accounts/Lock/Passcode.swift", limit: Limits.bodyBytes) { _ = Passcode($0) },
        text("date of birth", "Accounts/Rules/BirthDate.swift", "Kernel/LocalDate.swift", limit: Limits.bodyBytes) {
            _ = BirthDate($0, now: now)
        },
        text(
            "time", "Kernel/RFC3339.swift", "Kernel/Instant.swift", limit: Limits.bodyBytes,
            frames: [("", ""), ("2026-01-01T00:00:00.", "Z")]
        ) { _ = Instant(rfc3339: $0) },
        text("id", "Kernel/ID.swift", limit: Limits.bodyBytes) { _ = ID<Account>($0) },
        text("hexadecimal", "Kernel/Hexadecimal.swift", limit: Limits.bodyBytes) { _ = Hexadecimal.decoded($0[...]) },
        text("Base64url", "Kernel/Base64URL.swift", limit: Limits.bodyBytes) { _ = Base64URL.decoded($0) },
        text("token", "Accounts/Token.swift", "Accounts/SharedDevice.swift", limit: Limits.bodyBytes) {
            _ = Token.hash(shown: $0)
            _ = SharedDeviceToken.hash(shown: $0)
        },
        text(
            "recurrence rule", "Recurrence/RecurrenceRule+Text.swift", "Recurrence/DecimalDigits.swift",
            "Recurrence/Weekday.swift", "Recurrence/RecurrenceText.swift", limit: Limits.bodyBytes,
            frames: [("", ""), ("FREQ=DAILY;BYDAY=", "MO"), ("DTSTART;X-A=", ":20260301\nRRULE:FREQ=DAILY")]
        ) { _ = try RecurrenceText($0) },
        text("time of day", "Recurrence/LocalTime.swift", limit: Limits.bodyBytes) { _ = LocalTime($0) },
        text("time zone", "Recurrence/LocalTimeZone.swift", limit: Limits.bodyBytes) { _ = try LocalTimeZone($0) },
        text("family code", "Family/Rules/FamilyCode.swift", limit: Limits.bodyBytes) {
            _ = FamilyCode.hash(shown: $0)
        },
        text("claim code", "TrackerProtocol/Sealing/ClaimCode.swift", limit: Limits.bodyBytes) { _ = ClaimCode($0) },
        text("finder token", "TrackerProtocol/Sealing/FinderToken.swift", limit: Limits.queryBytes) {
            _ = FinderToken.bytes($0)
        },
        text("webhook secret", "Hologram/WebhookSecret.swift", limit: Limits.pathBytes) { _ = WebhookSecret($0) },
        text("outline of a safe place", "Tracking/Rules/SafeArea.swift", limit: Limits.bodyBytes) {
            _ = try PlaceOutline.read([$0])
            _ = try PlaceOutline.read($0.split(separator: ",").map(String.init))
        },
        text("contact of an owner", "Tracking/Lost/LostMode.swift", limit: Limits.bodyBytes) { _ = FinderContact($0) },
        text("picture PIN", "Family/Values/Tablet.swift", limit: Limits.bodyBytes) { _ = PicturePIN($0) },
        text("weekdays of a trip", "Carrepsa/Trips/Trip.swift", limit: Limits.bodyBytes) {
            _ = TripDays(codes: $0.split(separator: ",").map(String.init))
        },
        text(
            "path of an invitation", "Accounts/Registration/RegistrationPolicy.swift", limit: Limits.bodyBytes,
            frames: [("", ""), ("/family/invitations/", "")]
        ) { _ = InvitationPath($0) },
        text("IBAN", "Carrepsa/Money/IBAN.swift", limit: Limits.bodyBytes) { _ = IBAN($0) },
        text("payment reference", "Carrepsa/Money/PaymentReference.swift", limit: Limits.bodyBytes) {
            _ = PaymentReference.read($0)
        },
        text("weight", "CarrepsaWeb/Pages/CarrepsaFormatter.swift", limit: Limits.bodyBytes) {
            _ = Kilograms.grams(from: $0, in: .german)
        },
        text("handover code", "Carrepsa/Service/HandoverCodes.swift", limit: Limits.bodyBytes) {
            _ = HandoverCodes.normalized($0)
        },
        text(
            "cursors of lists", "Notifications/FeedEntry.swift", "Carrepsa/Store/PackageList.swift",
            "Carrepsa/Store/StatementStore.swift", "Quotas/StorageUsageStore.swift", limit: Limits.cursorBytes
        ) { _ = try FeedCursor.parsed($0) },
    ]
}
