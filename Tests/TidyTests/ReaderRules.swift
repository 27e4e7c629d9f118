import Foundation
import Testing

/// Each function that reads bytes or a text from outside is a reader of `ReaderTests`, which measure what a byte costs,
/// or is listed here with the reason why it needn't be measured.
@Suite("Readers of bytes from outside")
struct ReaderRules {
    /// A function that takes bytes and returns what it read, or an initializer that takes a text or bytes and can
    /// refuse them. Stores take digests and sealed bytes, in a transaction; pages take texts that were read before.
    private static let reader = Pattern(
        #"^[ \t]*(?:@\w+[ \t]+)?(?:package |static |mutating |nonisolated )*(?:"#
            + #"func \w+(?:<[^>(]*>)?\((?![^(){}]*\btx: )[^(){}]*:[ \t]*\#(bytes)[^(){}]*\)[ \t\n]*"#
            + #"(?:(?:async )?throws(?:\(\w+\))? ->[^{\n]*|->[^{\n]*\?[ \t]*)\{"#
            + #"|init(?:<[^>(]*>)?\([^(){}]*:[ \t]*\#(bytes)[^(){}]*\)[ \t\n]*(?:async )?throws[^{\n]*\{"#
            + #"|init\?(?:<[^>(]*>)?\([^(){}]*:[ \t]*(?:\#(bytes)|\[?String\b|Substring|some StringProtocol)[^(){}]*\)"#
            + #"[ \t\n]*\{)"#)
    private static let bytes =
        #"(?:some (?:Sequence|Collection)<UInt8>|\[UInt8\]|ArraySlice<UInt8>|Data(?!\w)|ByteBuffer(?!\w))"#

    private static let modulesWithoutReaders: Set<String> = [
        // Programs of the person who runs them, on their own device.
        "homeward", "homeward-tracker", "recurrence-check", "embed-files", "BlueZ", "TrackerCore", "TestSupport",
    ]

    private static let foldersWithoutReaders = Pattern(#"^Sources/\w+Web/(?:Pages|Views)/|^Sources/WebCore/Pages/"#)

    /// The files without a reader, by the reason why they have none.
    private static let exempt: [String: Set<String>] = [
        "They pass the bytes to readers that are measured": [
            "Accounts/Passkeys/PasskeyVerifier.swift", "Tracking/Hologram/HologramWebhookService.swift",
            "Tracking/Ingest/OwnTracksIngestService.swift", "Tracking/Ingest/TraccarIngestService.swift",
            "Tracking/Ingest/TrackerMessageService.swift", "Tracking/Service/FirstContactService.swift",
            "TrackerProtocol/Sealing/ServerChannel.swift", "TrackerProtocol/Sealing/TrackerChannel.swift",
        ],
        "They pass the bytes to the process that decodes pictures, within limits of its memory and time": [
            "Pictures/Decoding/ColourConversion.swift", "Pictures/Decoding/GDImage.swift",
            "Pictures/Decoding/HEICFile.swift", "Pictures/Decoding/HEICHeader.swift",
            "Pictures/Decoding/JPEGFile.swift", "Pictures/Decoding/PictureDecoder.swift",
            "Pictures/PictureLibrary.swift",
            "Pictures/Worker/PictureWorker.swift",
        ],
        "They take keys, digests and frames with a fixed number of bytes": [
            "Accounts/OpenID/ProviderSignInService.swift", "Ledger/LedgerKey.swift", "Notifications/Push/PushKey.swift",
            "Tracking/Ingest/CredentialCache.swift", "Tracking/Ingest/SourceAuthenticator.swift",
            "Tracking/Ingest/SourceMessageStorage.swift", "Tracking/Ingest/SourceMessageWriter.swift",
            "TrackerProtocol/Bluetooth/BluetoothIdentity.swift", "TrackerProtocol/Compact/CompactAcknowledgement.swift",
            "TrackerProtocol/Compact/CompactCommand.swift", "TrackerProtocol/Compact/CompactFix.swift",
            "TrackerProtocol/Sealing/KeyPair.swift", "TrackerProtocol/Sealing/Seal.swift",
            "TrackerProtocol/Sealing/TrackerKeys.swift",
        ],
        "They hash a password, whose bytes are limited, or read its hash": ["Accounts/PasswordHasher.swift"],
        "They open or write what this server sealed": [
            "Accounts/Export/Deflater.swift", "Accounts/Export/ZipWriter.swift", "Accounts/Mail/Log/MailLogEntry.swift",
            "Accounts/Mail/MailMessage.swift", "Accounts/Mail/MailQueue.swift", "Accounts/SecretBox.swift",
            "Backups/ArchiveEntry.swift", "Backups/Repository/BackupRepository.swift",
            "Carrepsa/Evidence/EvidenceAudit.swift", "Carrepsa/Recipients/RecipientLink.swift",
            "Ledger/Verify/DamageLocator.swift", "Notifications/Push/PushEncryption.swift",
            "Notifications/Sending/PushJobs.swift", "Tracking/Archive/FixSegment.swift",
        ],
        "They read the names and settings that an administrator of the server gives": [
            "Accounts/Mail/SMTP/SMTPSettings.swift", "Accounts/OpenID/ProviderSettings.swift",
            "Backups/Repository/BackupRetention.swift", "Backups/Repository/RepositoryLayout.swift",
            "Hologram/HologramKey.swift", "Kernel/Localization/PluralRule.swift", "Kernel/Money.swift",
            "Server/Backups/RestoredKeys.swift",
        ],
        "They mask what was validated": ["Tracking/Rules/MaskedContact.swift"],
    ]

    private static var named: Set<String> {
        let path = Pattern(#""[A-Z]\w+(?:/[\w+.]+)+\.swift""#)
        let readers = SourceTree.files(below: "Tests/ReaderTests", ending: "swift")
        return Set(
            readers.flatMap { file in path.ranges(in: file.text).map { file.text[$0].dropFirst().dropLast() } }
                .map { "Sources/\($0)" })
    }

    @Test("Each is measured, or has a reason why it isn't")
    func readersAreListed() {
        let known = Self.named.union(Self.exempt.values.flatMap { $0.map { "Sources/\($0)" } })
        let unknown = SourceTree.code.filter { file in
            !Self.modulesWithoutReaders.contains(file.module) && !known.contains(file.path)
                && !Self.foldersWithoutReaders.matches(file.path)
        }
        let places = unknown.places(matching: Self.reader)
        #expect(places.isEmpty, "\(places.joined())")
    }

    @Test("The lists name files that exist, once")
    func listsAreRight() {
        let paths = Set(SourceTree.code.map(\.path))
        let exempt = Self.exempt.values.flatMap { $0.map { "Sources/\($0)" } }
        #expect(Self.named.count > 50)
        #expect(Self.named.subtracting(paths).isEmpty)
        #expect(Set(exempt).subtracting(paths).isEmpty)
        #expect(Set(exempt).isDisjoint(with: Self.named))
        #expect(Set(exempt).count == exempt.count)
    }
}
