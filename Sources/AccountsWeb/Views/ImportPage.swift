import Accounts
import Kernel
import WebCore

/// The view of the import of an export: the upload, the preview, the progress or the result.
struct ImportPage: Sendable {
    let shell: Shell
    /// Whether the form for the file is shown.
    let isChoosing: Bool
    /// The error message of the file.
    let problem: String?
    /// The error message of an import that failed.
    let failure: String?
    let preview: ImportPreviewPart?
    let progress: ImportProgressPart?
    let result: ImportResultPart?
    /// Whether a result or a failure can be removed from the page.
    let isOver: Bool
    let limitText: String

    init(_ context: SignedInContext, _ stored: AccountImport?, sendsMail: Bool, error: AppError? = nil) {
        let errors = FormErrors(error)
        problem = errors["archive"] ?? errors.message
        failure = stored?.state == .failed ? stored?.message.map { context.t.message($0) } : nil
        isChoosing = stored == nil || stored?.state == .failed
        isOver = stored?.state == .failed || stored?.state == .done
        preview = stored?.state == .ready ? stored.map { ImportPreviewPart($0, context) } : nil
        progress =
            stored?.state == .running ? stored.map { ImportProgressPart($0, sendsMail: sendsMail, context) } : nil
        result = stored?.state == .done ? stored.map { ImportResultPart($0, context.t) } : nil
        limitText = context.t(
            "At most {n} MB. Nothing is imported before you have seen what the file contains.",
            ["n": String(Limits.importMegabytes)])
        shell = Shell(
            context, title: context.t("Import from another server"), menu: .settings(context), tab: "settings",
            isLargeTitle: false,
            back: ShellBack(url: "/account", label: context.t("Settings", context: "narrow button"))
        )
    }
}

/// What an archive contains.
struct ImportPreviewPart: Sendable {
    let id: String
    let version: String
    let source: String
    let sourceNote: String?
    let groups: [ImportGroup]
    let warnings: [String]
    /// Whether the profile of the archive can fill empty fields.
    let hasProfile: Bool
    /// Whether the profile is filled in unless the person chooses otherwise.
    let isProfileOn: Bool
    /// Whether nothing of the archive is new.
    let isAllHere: Bool
    let canImport: Bool

    init(_ stored: AccountImport, _ context: SignedInContext) {
        let (preview, t) = (stored.preview, context.t)
        id = stored.id.description
        version = String(stored.version)
        source = preview.accountEmail ?? preview.accountName
        sourceNote = preview.exportedAt.map { at in
            t("Downloaded {time}", ["time": DateText.of(at, context.language)])
        }
        groups = ImportGroup.all(preview.entries, context)
        warnings = preview.notes.map { note in
            switch note {
            case .dateOfBirthNeeded:
                t("To import your family, add your date of birth to your profile first, then choose the file again.")
            case .profileNeeded:
                t("To import your family too, leave “Fill in my profile” on: a family needs your date of birth.")
            case .builtInPictures:
                t("Some photos of children and chores belong to another person. They get a built-in picture instead.")
            }
        }
        hasProfile = preview.entries.contains { $0.kind == .profile }
        isProfileOn = preview.notes.contains(.profileNeeded)
        isAllHere = preview.entries.allSatisfy { $0.kind == .profile || $0.isHere && $0.hereCount == $0.count }
        canImport = !isAllHere || hasProfile
    }
}

/// The entries of one kind.
struct ImportGroup: Sendable {
    let title: String
    let icon: String
    let rows: [ImportRow]
    let moreText: String?
    /// The note that the account has no room for all of them.
    let roomText: String?

    static func all(_ entries: [ImportEntry], _ context: SignedInContext) -> [ImportGroup] {
        ImportEntry.Kind.allCases.compactMap { kind in
            let found = entries.filter { $0.kind == kind }
            guard !found.isEmpty, kind != .profile else { return nil }
            return ImportGroup(kind, found, context)
        }
    }

    private init(_ kind: ImportEntry.Kind, _ entries: [ImportEntry], _ context: SignedInContext) {
        let t = context.t
        (title, icon) =
            switch kind {
            case .pictures: (t("Photos"), "images")
            case .profile: (t("Profile"), "circle-user")
            case .item: (t("Items"), "locate-fixed")
            case .safePlace: (t("Safe places"), "shield")
            case .child: (t("Children"), "users")
            case .chore: (t("Chores"), "list")
            case .contract: (t("Contracts"), "trophy")
            case .schedule: (t("Repeating chores"), "refresh-cw")
            case .pause: (t("Pauses"), "umbrella")
            case .reward: (t("Rewards"), "gift")
            case .wish: (t("Wishes"), "sparkles")
            }
        rows = entries.prefix(Limits.importEntriesShown).map { ImportRow($0, t) }
        let rest = entries.count - rows.count
        moreText = rest > 0 ? t("{n} more", ["n": String(rest)]) : nil
        let new =
            kind == .pictures
            ? entries.reduce(0) { $0 + $1.count - $1.hereCount } : entries.count { !$0.isHere }
        let excess =
            kind == .pictures ? entries.reduce(0) { $0 + $1.excessCount } : entries.count { $0.isExcess }
        roomText =
            excess > 0
            ? t(
                "Your account has room for only {n} of {m} new entries. The others are left out.",
                ["n": t.language.grouped(String(new - excess)), "m": t.language.grouped(String(new))]) : nil
    }
}

/// One entry of a preview.
struct ImportRow: Sendable {
    let name: String
    let note: String?
    let isHere: Bool

    init(_ entry: ImportEntry, _ t: Translator) {
        let rest = entry.count - entry.hereCount
        func grouped(_ number: Int) -> KeyValuePairs<String, String> { ["n": t.language.grouped(String(number))] }
        switch entry.kind {
        case .pictures:
            name = t("{n} photo", plural: "{n} photos", count: entry.count)
            note =
                entry.hereCount > 0 && rest > 0
                ? t("{n} already imported", plural: "{n} already imported", count: entry.hereCount) : nil
        case .item:
            name = entry.name
            note =
                entry.excessCount > 0
                ? t(
                    "Room for {n} of {m} new positions",
                    ["n": t.language.grouped(String(rest - entry.excessCount)), "m": t.language.grouped(String(rest))])
                : entry.hereCount > 0 && rest > 0
                    ? t("{n} new position", plural: "{n} new positions", count: rest, grouped(rest))
                    : t("{n} position", plural: "{n} positions", count: entry.count, grouped(entry.count))
        case .child, .contract:
            name = entry.name
            note = t("{n} point", plural: "{n} points", count: entry.count, grouped(entry.count))
        case .profile, .safePlace, .chore, .schedule, .reward, .wish:
            name = entry.name
            note = nil
        case .pause:
            name = entry.name.isEmpty ? t("All children") : entry.name
            note = nil
        }
        isHere = entry.isHere && rest <= 0
    }
}

/// An import that runs.
struct ImportProgressPart: Sendable {
    let value: String
    let maximum: String
    let text: String
    /// Whether a mail reports the end.
    let sendsMail: Bool

    init(_ stored: AccountImport, sendsMail: Bool, _ context: SignedInContext) {
        self.sendsMail = sendsMail
        let total = max(stored.preview.recordCount, 1)
        let done = min(stored.doneCount, total)
        value = String(done)
        maximum = String(total)
        text = context.t(
            "{done} of {total}",
            ["done": context.language.grouped(String(done)), "total": context.language.grouped(String(total))])
    }
}

/// An import that is finished.
struct ImportResultPart: Sendable {
    /// Says that the family was left out; `nil` if it wasn't.
    let familyText: String?
    let refusedText: String?
    let hasItems: Bool
    let hasFamily: Bool

    init(_ stored: AccountImport, _ t: Translator) {
        let familyCount = stored.preview.entries.count(where: \.kind.isFamily)
        let lacksProfile =
            stored.preview.notes.contains(.profileNeeded) && !stored.includesProfile
            && stored.refusedCount >= familyCount
        familyText =
            lacksProfile
            ? t("Your family was left out. Add your date of birth to your profile, then import the file again.") : nil
        let count = stored.refusedCount - (lacksProfile ? familyCount : 0)
        refusedText =
            count > 0
            ? t(
                "{n} entry was left out: it couldn’t be read, or your account has no room for it.",
                plural: "{n} entries were left out: they couldn’t be read, or your account has no room for them.",
                count: count, ["n": t.language.grouped(String(count))]) : nil
        let kinds = Set(stored.preview.entries.map(\.kind))
        hasItems = kinds.contains(.item)
        hasFamily = kinds.contains(where: \.isFamily)
    }
}
