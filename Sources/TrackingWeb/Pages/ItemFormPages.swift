import Kernel
import Pictures
import Tracking
import WebCore

/// A text field with its message.
struct InputField: Sendable {
    let id: String
    let inputName: String
    let label: String
    let value: String
    let hint: String
    let unit: String
    let isInvalid: Bool
    /// The correction to make; empty for a valid value.
    let message: String
    /// The current value, when it was changed elsewhere.
    var changedTo: String?
}

/// A stored value at the time when the form was rendered, submitted with the form.
struct BaseValue: Sendable {
    let baseName: String
    let baseText: String
}

/// The page *Add item*.
struct NewItemPage: Sendable {
    let shell: Shell
    let formAction: String
    let photo: PhotoField
    let nameField: InputField
    let formError: String?

    init(_ context: SignedInContext, typed: ItemFormState, error: AppError?, t: Translator) {
        shell = Shell(
            context, title: t("Add item", context: "title"), menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(url: TrackingPath.items, label: t("Cancel"), isCancel: true),
            action: ShellAction(label: t("Save"), formID: "item-form", isStrong: true)
        )
        formAction = TrackingPath.items
        let messages = ItemMessages(error, typed: typed, context.language, t: t)
        photo = .item(typed, messages: messages, t: t)
        nameField = .name(typed, messages: messages, t: t)
        formError = messages.form
    }
}

/// The page *Edit*.
struct EditItemPage: Sendable {
    let shell: Shell
    let formAction: String
    let typedVersion: String
    let baseValues: [BaseValue]
    let photo: PhotoField
    /// The text about a photo that was changed or removed elsewhere.
    let otherPhotoText: String?
    let otherPhotoURL: String?
    let nameField: InputField
    let settingFields: [InputField]
    /// Whether a field of the advanced section is invalid or was changed elsewhere.
    let isAdvancedOpen: Bool
    let replayAction: String
    /// What would have come; `nil` before the person asks.
    let replay: ReplayPart?
    let formError: String?
    let deletePageURL: String
    let deletion: ItemDeletion

    init(
        _ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, typed: ItemFormState,
        error: AppError?, replay: ReplayPart? = nil,
        t: Translator
    ) {
        let url = TrackingPath.item(overview.item.id)
        replayAction = url + "/replay"
        self.replay = replay
        shell = Shell(
            context, title: t("Edit item"), menu: .tracking(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: url, label: t("Cancel"), isCancel: true),
            action: ShellAction(label: t("Save"), formID: "item-form", isStrong: true)
        )
        formAction = url + "?_method=patch"
        typedVersion = typed.version
        let base = typed.base ?? ItemValues(overview.item)
        baseValues = ItemValues.fields.map { name, path in
            BaseValue(baseName: "base." + name, baseText: base[keyPath: path])
        }
        let messages = ItemMessages(error, typed: typed, context.language, t: t)
        photo = .item(typed, messages: messages, t: t)
        let other = typed.changes["pictureId"].map { ID<Picture>($0) }
        otherPhotoText = other.map {
            $0 == nil ? t("The photo was removed elsewhere.") : t("The photo was changed elsewhere to this one:")
        }
        otherPhotoURL = other.flatMap { $0 }.map { TrackingPath.picture($0, size: .small) }
        nameField = .name(typed, messages: messages, t: t)
        settingFields =
            InputField.settings(typed, messages: messages, t: t)
            + [
                InputField.keepDays(typed, messages: messages, t: t),
                InputField.silentHours(typed, messages: messages, t: t),
            ]
        isAdvancedOpen = replay != nil || settingFields.contains { $0.isInvalid || $0.changedTo != nil }
        formError = messages.form
        deletePageURL = url + "/delete"
        deletion = ItemDeletion(context, overview, isPictureShared: isPictureShared, t: t)
    }
}

/// The confirmation that an item is deleted, with the consequences.
struct ItemDeletion: Sendable {
    let deleteAction: String
    let deleteTitle: String
    /// One sentence for each consequence.
    let consequences: [String]
    /// Releases a nearby tracker over Bluetooth at once; `nil` without a Homeward tracker.
    let bluetooth: BluetoothPanel?

    init(_ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, t: Translator) {
        deleteAction = TrackingPath.item(overview.item.id) + "?_method=delete"
        deleteTitle = t("Delete {name}?", ["name": overview.item.name])
        var sentences = [t("All its positions are deleted. This can’t be undone.")]
        if overview.item.pictureID != nil {
            sentences.append(
                isPictureShared
                    ? t("Its photo stays, because another item uses it.")
                    : t("Its photo is deleted too, from your photos as well."))
        }
        if overview.tracker?.kind == .homeward {
            sentences.append(t("Its tracker turns itself off and can be paired again."))
        }
        consequences = sentences
        bluetooth =
            overview.tracker == nil
            ? nil
            : BluetoothPanel(
                overview, t: t, page: TrackingPath.item(overview.item.id) + "/delete", isParting: true)
    }
}

/// The confirmation as a separate page, for browsers without scripts.
struct DeleteItemPage: Sendable {
    let shell: Shell
    let deletion: ItemDeletion
    let editURL: String

    init(_ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, t: Translator) {
        let url = TrackingPath.item(overview.item.id)
        deletion = ItemDeletion(context, overview, isPictureShared: isPictureShared, t: t)
        shell = Shell(
            context, title: deletion.deleteTitle, menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: url + "/edit", label: t("Cancel"), isCancel: true)
        )
        editURL = url + "/edit"
    }
}

extension PhotoField {
    fileprivate static func item(_ typed: ItemFormState, messages: ItemMessages, t: Translator) -> PhotoField {
        let picture = ID<Picture>(typed.values.pictureId)
        return PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { TrackingPath.picture($0, size: .medium) },
            error: messages.picture, label: t("Photo")
        )
    }
}

extension InputField {
    fileprivate static func name(_ typed: ItemFormState, messages: ItemMessages, t: Translator) -> InputField {
        InputField(
            id: "name", inputName: "name", label: t("Name"), value: typed.values.name, hint: .nameLength(t),
            unit: "", isInvalid: !messages.name.isEmpty, message: messages.name,
            changedTo: typed.changes["name"].map { name in
                let quoted = t("“{text}”", ["text": name])
                return t("Changed elsewhere to {value}", ["value": quoted])
            }
        )
    }

    /// Returns the four fields of an item's settings.
    static func settings(
        _ typed: ItemFormState, messages: ItemMessages, t: Translator
    ) -> [InputField] {
        let values = typed.values
        let rows: [(key: String, label: String, value: String, hint: String, unit: String)] = [
            (
                "locateMinutes", t("Ask for the position every"), values.locateMinutes,
                t("{least} to {most} minutes", SettingsRule.locateMinutes.texts(t)), t("min")
            ),
            (
                "lostMetres", t("Lost when farther away than"), values.lostMetres,
                t("{least} to {most} metres", SettingsRule.lostMetres.texts(t)), t("m")
            ),
            (
                "alertMetres", t("Warn when farther away than"), values.alertMetres,
                t("{least} to {most} metres", SettingsRule.alertMetres.texts(t)), t("m")
            ),
            (
                "walkMetres", t("Walk when at most"), values.walkMetres,
                t("{least} to {most} metres; farther by public transport", SettingsRule.walkMetres.texts(t)), t("m")
            ),
        ]
        return rows.map { row in
            let message = messages.setting(row.key, range: row.hint)
            return InputField(
                id: row.key, inputName: "settings.\(row.key)", label: row.label, value: row.value, hint: row.hint,
                unit: row.unit, isInvalid: !message.isEmpty, message: message,
                changedTo: typed.changes["settings.\(row.key)"].map { value in
                    t("Changed elsewhere to {value}", ["value": "\(value)\u{a0}\(row.unit)"])
                }
            )
        }
    }
}

extension String {
    /// Returns the hint of a name's field.
    static func nameLength(_ t: Translator) -> String {
        t("{least}–{most} characters", (1...Limits.nameCharacters).texts(t))
    }
}
