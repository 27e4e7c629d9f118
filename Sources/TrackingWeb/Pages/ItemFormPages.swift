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
    let t: TrackingStrings
    let formAction: String
    let photo: PhotoField
    let nameField: InputField
    let formError: String?

    init(_ context: SignedInContext, typed: ItemFormState, error: AppError?, t: TrackingStrings) {
        shell = Shell(
            context, title: t.form.addTitle, menu: .tracking(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: TrackingPath.items, label: t.common.cancel, isCancel: true),
            action: ShellAction(label: t.common.save, formID: "item-form", isStrong: true)
        )
        self.t = t
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
    let t: TrackingStrings
    let formAction: String
    let typedVersion: String
    let baseValues: [BaseValue]
    let photo: PhotoField
    /// The text about a photo that was changed or removed elsewhere.
    let otherPhotoText: String?
    let otherPhotoURL: String?
    let nameField: InputField
    let words: ListControlStrings
    let settingFields: [InputField]
    /// Whether a field of the advanced section is invalid or was changed elsewhere.
    let isAdvancedOpen: Bool
    let formError: String?
    let deletePageURL: String
    let deletion: ItemDeletion

    init(
        _ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, typed: ItemFormState,
        error: AppError?,
        t: TrackingStrings
    ) {
        let url = TrackingPath.item(overview.item.id)
        shell = Shell(
            context, title: t.form.editTitle, menu: .tracking(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: url, label: t.common.cancel, isCancel: true),
            action: ShellAction(label: t.common.save, formID: "item-form", isStrong: true)
        )
        self.t = t
        formAction = url + "?_method=patch"
        typedVersion = typed.version
        let base = typed.base ?? ItemValues(overview.item)
        baseValues = ItemValues.fields.map { name, path in
            BaseValue(baseName: "base." + name, baseText: base[keyPath: path])
        }
        let messages = ItemMessages(error, typed: typed, context.language, t: t)
        photo = .item(typed, messages: messages, t: t)
        let other = typed.changes["pictureId"].map { ID<Picture>($0) }
        otherPhotoText = other.map { $0 == nil ? t.form.pictureRemoved : t.form.pictureChanged }
        otherPhotoURL = other.flatMap { $0 }.map { TrackingPath.picture($0, size: .small) }
        nameField = .name(typed, messages: messages, t: t)
        settingFields =
            InputField.settings(typed, messages: messages, t: t)
            + [InputField.keepDays(typed, messages: messages, words: .of(context.language), t: t)]
        isAdvancedOpen = settingFields.contains { $0.isInvalid || $0.changedTo != nil }
        words = ListControlStrings.of(context.language)
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

    init(_ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, t: TrackingStrings) {
        deleteAction = TrackingPath.item(overview.item.id) + "?_method=delete"
        deleteTitle = TrackingStrings.fill(t.form.deleteTitle, ["name": overview.item.name])
        var sentences = [t.form.deleteText]
        if overview.item.pictureID != nil {
            sentences.append(isPictureShared ? t.form.deleteTextPhotoShared : t.form.deleteTextPhoto)
        }
        if overview.tracker?.kind == .homeward { sentences.append(t.form.deleteTextTracker) }
        consequences = sentences
        bluetooth =
            overview.tracker == nil
            ? nil
            : BluetoothPanel(
                overview, b: BluetoothStrings.of(context.language), assets: context.assets,
                page: TrackingPath.item(overview.item.id) + "/delete", isParting: true
            )
    }
}

/// The confirmation as a separate page, for browsers without scripts.
struct DeleteItemPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let deletion: ItemDeletion
    let editURL: String

    init(_ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, t: TrackingStrings) {
        let url = TrackingPath.item(overview.item.id)
        deletion = ItemDeletion(context, overview, isPictureShared: isPictureShared, t: t)
        shell = Shell(
            context, title: deletion.deleteTitle, menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: url + "/edit", label: t.common.cancel, isCancel: true)
        )
        self.t = t
        editURL = url + "/edit"
    }
}

extension PhotoField {
    fileprivate static func item(_ typed: ItemFormState, messages: ItemMessages, t: TrackingStrings) -> PhotoField {
        let picture = ID<Picture>(typed.values.pictureId)
        return PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { TrackingPath.picture($0, size: .medium) },
            error: messages.picture, label: t.form.photo
        )
    }
}

extension InputField {
    fileprivate static func name(_ typed: ItemFormState, messages: ItemMessages, t: TrackingStrings) -> InputField {
        InputField(
            id: "name", inputName: "name", label: t.form.name, value: typed.values.name, hint: t.form.nameHint,
            unit: "", isInvalid: !messages.name.isEmpty, message: messages.name,
            changedTo: typed.changes["name"].map { name in
                let quoted = TrackingStrings.fill(t.form.quoted, ["text": name])
                return TrackingStrings.fill(t.common.changedTo, ["value": quoted])
            }
        )
    }

    /// Returns the four fields of an item's settings.
    static func settings(
        _ typed: ItemFormState, messages: ItemMessages, t: TrackingStrings
    ) -> [InputField] {
        let values = typed.values
        let rows: [(key: String, label: String, value: String, hint: String, unit: String)] = [
            ("locateMinutes", t.form.locateMinutes, values.locateMinutes, t.form.locateMinutesHint, t.form.minutesUnit),
            ("lostMetres", t.form.lostMetres, values.lostMetres, t.form.lostMetresHint, t.form.metresUnit),
            ("alertMetres", t.form.alertMetres, values.alertMetres, t.form.alertMetresHint, t.form.metresUnit),
            ("walkMetres", t.form.walkMetres, values.walkMetres, t.form.walkMetresHint, t.form.metresUnit),
        ]
        return rows.map { row in
            let message = messages.setting(row.key, range: row.hint)
            return InputField(
                id: row.key, inputName: "settings.\(row.key)", label: row.label, value: row.value, hint: row.hint,
                unit: row.unit, isInvalid: !message.isEmpty, message: message,
                changedTo: typed.changes["settings.\(row.key)"].map { value in
                    TrackingStrings.fill(t.common.changedTo, ["value": "\(value)\u{a0}\(row.unit)"])
                }
            )
        }
    }
}
