import Kernel
import Pictures
import Tracking
import WebCore

/// What was typed about an item, to be shown again when it can't be taken.
struct TypedItem: Sendable {
    var name = ""
    var pictureID = ""
    var locateMinutes = ""
    var lostMetres = ""
    var alertMetres = ""
    var walkMetres = ""
    /// The version that the form was made from.
    var version = ""
}

extension TypedItem {
    init(_ item: Item) {
        self.init(
            name: item.name, pictureID: item.pictureID?.description ?? "",
            locateMinutes: String(item.settings.locateMinutes), lostMetres: String(item.settings.lostMetres),
            alertMetres: String(item.settings.alertMetres), walkMetres: String(item.settings.walkMetres),
            version: String(item.version)
        )
    }

    init(_ fields: Fields) {
        self.init(
            name: fields.typed("name"), pictureID: fields.typed("pictureId"),
            locateMinutes: fields.typed("settings.locateMinutes"), lostMetres: fields.typed("settings.lostMetres"),
            alertMetres: fields.typed("settings.alertMetres"), walkMetres: fields.typed("settings.walkMetres"),
            version: fields.typed("version")
        )
    }
}

/// A text field with its message.
struct InputField: Sendable {
    let id: String
    let inputName: String
    let label: String
    let value: String
    let hint: String
    let unit: String
    let isInvalid: Bool
    /// What to correct; empty when nothing is.
    let message: String
}

/// *Add item*.
struct NewItemPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let formAction: String
    let photo: PhotoField
    let nameField: InputField
    let formError: String?

    init(_ context: SignedInContext, typed: TypedItem, error: AppError?, t: TrackingStrings) {
        shell = Shell(
            context, title: t.form.addTitle, menu: .tracking(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: TrackingPath.items, label: t.common.cancel, isCancel: true),
            action: ShellAction(label: t.common.save, formID: "item-form", isStrong: true)
        )
        self.t = t
        formAction = TrackingPath.items
        let messages = ItemMessages(error, typed: typed, t: t)
        photo = .item(typed, messages: messages, t: t)
        nameField = .name(typed, messages: messages, t: t)
        formError = messages.form
    }
}

/// *Edit*.
struct EditItemPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let formAction: String
    let typedVersion: String
    let photo: PhotoField
    let nameField: InputField
    let settingFields: [InputField]
    let formError: String?
    let deletePageURL: String
    let deletion: ItemDeletion

    init(
        _ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, typed: TypedItem, error: AppError?,
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
        let messages = ItemMessages(error, typed: typed, t: t)
        photo = .item(typed, messages: messages, t: t)
        nameField = .name(typed, messages: messages, t: t)
        settingFields = InputField.settings(typed, messages: messages, t: t)
        formError = messages.form
        deletePageURL = url + "/delete"
        deletion = ItemDeletion(overview, isPictureShared: isPictureShared, t: t)
    }
}

/// What deleting an item takes along, asked once.
struct ItemDeletion: Sendable {
    let deleteAction: String
    let deleteTitle: String
    /// One sentence for each kind of thing that goes, or stays.
    let consequences: [String]

    init(_ overview: ItemOverview, isPictureShared: Bool, t: TrackingStrings) {
        deleteAction = TrackingPath.item(overview.item.id) + "?_method=delete"
        deleteTitle = TrackingStrings.fill(t.form.deleteTitle, ["name": overview.item.name])
        var sentences = [t.form.deleteText]
        if overview.item.pictureID != nil {
            sentences.append(isPictureShared ? t.form.deleteTextPhotoShared : t.form.deleteTextPhoto)
        }
        if overview.tracker?.kind == .homeward { sentences.append(t.form.deleteTextTracker) }
        consequences = sentences
    }
}

/// The question by itself, for browsers without script.
struct DeleteItemPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let deletion: ItemDeletion
    let editURL: String

    init(_ context: SignedInContext, _ overview: ItemOverview, isPictureShared: Bool, t: TrackingStrings) {
        let url = TrackingPath.item(overview.item.id)
        deletion = ItemDeletion(overview, isPictureShared: isPictureShared, t: t)
        shell = Shell(
            context, title: deletion.deleteTitle, menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: url + "/edit", label: t.common.cancel, isCancel: true)
        )
        self.t = t
        editURL = url + "/edit"
    }
}

extension PhotoField {
    fileprivate static func item(_ typed: TypedItem, messages: ItemMessages, t: TrackingStrings) -> PhotoField {
        let picture = ID<Picture>(typed.pictureID)
        return PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { TrackingPath.picture($0, size: .medium) },
            error: messages.picture, label: t.form.photo
        )
    }
}

extension InputField {
    fileprivate static func name(_ typed: TypedItem, messages: ItemMessages, t: TrackingStrings) -> InputField {
        InputField(
            id: "name", inputName: "name", label: t.form.name, value: typed.name, hint: t.form.nameHint, unit: "",
            isInvalid: !messages.name.isEmpty, message: messages.name
        )
    }

    fileprivate static func settings(
        _ typed: TypedItem, messages: ItemMessages, t: TrackingStrings
    ) -> [InputField] {
        let rows: [(key: String, label: String, value: String, hint: String, unit: String)] = [
            ("locateMinutes", t.form.locateMinutes, typed.locateMinutes, t.form.locateMinutesHint, t.form.minutesUnit),
            ("lostMetres", t.form.lostMetres, typed.lostMetres, t.form.lostMetresHint, t.form.metresUnit),
            ("alertMetres", t.form.alertMetres, typed.alertMetres, t.form.alertMetresHint, t.form.metresUnit),
            ("walkMetres", t.form.walkMetres, typed.walkMetres, t.form.walkMetresHint, t.form.metresUnit),
        ]
        return rows.map { row in
            let message = messages.setting(row.key, range: row.hint)
            return InputField(
                id: row.key, inputName: "settings.\(row.key)", label: row.label, value: row.value, hint: row.hint,
                unit: row.unit, isInvalid: !message.isEmpty, message: message
            )
        }
    }
}
