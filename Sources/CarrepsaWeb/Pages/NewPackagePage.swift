import Carrepsa
import Kernel
import Pictures
import WebCore

/// The values of the form for a new package, kept to show the form again with errors.
struct PackageFormState: Sendable {
    var title = ""
    var from = ""
    var to = ""
    var weight = ""
    var reward = ""
    var moneyLock = ""
    var description = ""
    var deadlineDay = ""
    var pictureID = ""

    init() {}

    init(_ fields: Fields) {
        title = fields.typed("title")
        from = fields.typed("from")
        to = fields.typed("to")
        weight = fields.typed("weight")
        reward = fields.typed("reward")
        moneyLock = fields.typed("moneyLock")
        description = fields.typed("description")
        deadlineDay = fields.typed("deadlineDay")
        pictureID = fields.typed("pictureId")
    }
}

/// The view model of a form field with its error message.
struct PackageField: Sendable {
    let fieldID: String
    let label: String
    let value: String
    let placeholder: String
    /// The text below the field; empty for none.
    let hint: String
    let hasHint: Bool
    /// The text beside the value; empty for none.
    let unit: String
    let message: String
    let isInvalid: Bool

    init(
        _ name: String, _ label: String, value: String, placeholder: String = "", hint: String = "", unit: String = "",
        message: String
    ) {
        fieldID = name
        self.label = label
        self.value = value
        self.placeholder = placeholder
        self.hint = hint
        hasHint = !hint.isEmpty
        self.unit = unit
        self.message = message
        isInvalid = !message.isEmpty
    }
}

/// The view model of *New package*.
struct NewPackagePage: Sendable {
    let shell: Shell
    let t: CarrepsaStrings
    let formAction: String
    let problem: String?
    let textFields: [PackageField]
    let weightField: PackageField
    let rewardField: PackageField
    let lockField: PackageField
    let descriptionField: PackageField
    let deadlineField: PackageField
    let photo: PhotoField
    /// Whether one of the collapsed fields has a value or an error.
    let isUnfolded: Bool
    /// The balance in minor units, which the script compares with the reward.
    let balanceMinor: Int64
    let currencyDigits: Int
    let tooLittleText: String

    init(
        _ context: SignedInContext, typed: PackageFormState, wallet: Wallet, error: AppError?, t: CarrepsaStrings,
        formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t.form.title, menu: .carrepsa(t), tab: CarrepsaTab.new.rawValue, isNarrow: true)
        self.t = t
        formAction = CarrepsaPath.packages
        let messages = PackageMessages(error, typed, wallet: wallet, t, formatter)
        problem = messages.form
        textFields = [
            PackageField(
                "title", t.form.name, value: typed.title, placeholder: t.form.namePlaceholder,
                message: messages.text("title", typed.title, characters: Limits.nameCharacters)
            ),
            PackageField(
                "from", t.common.from, value: typed.from, placeholder: t.form.fromPlaceholder,
                message: messages.text("from", typed.from, characters: Limits.placeCharacters)
            ),
            PackageField(
                "to", t.common.to, value: typed.to, placeholder: t.form.toPlaceholder,
                message: messages.text("to", typed.to, characters: Limits.placeCharacters)
            ),
        ]
        weightField = PackageField(
            "weight", t.common.weight, value: typed.weight, unit: t.search.kilograms, message: messages.weight)
        let balance = formatter.money(wallet.balance)
        rewardField = PackageField(
            "reward", t.common.reward, value: typed.reward,
            hint: CarrepsaStrings.fill(t.form.rewardHint, ["amount": balance]), unit: formatter.symbol,
            message: messages.reward
        )
        lockField = PackageField(
            "moneyLock", t.common.moneyLock, value: typed.moneyLock, hint: t.form.moneyLockHint,
            unit: formatter.symbol, message: messages.amount("moneyLock", typed.moneyLock)
        )
        descriptionField = PackageField(
            "description", t.form.description, value: typed.description, hint: t.form.descriptionHint,
            message: messages.text("description", typed.description, characters: Limits.descriptionCharacters)
        )
        deadlineField = PackageField(
            "deadlineDay", t.form.deadline, value: typed.deadlineDay, hint: t.form.deadlineHint,
            message: messages.deadline
        )
        let picture = ID<Picture>(typed.pictureID)
        photo = PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { CarrepsaPath.picture($0, size: .medium) },
            error: messages.picture, label: t.form.photo
        )
        isUnfolded =
            !typed.description.isEmpty || !typed.deadlineDay.isEmpty || !typed.pictureID.isEmpty
            || descriptionField.isInvalid || deadlineField.isInvalid || !messages.picture.isEmpty
        balanceMinor = wallet.balance
        currencyDigits = wallet.currency.exponent
        tooLittleText = CarrepsaStrings.fill(t.form.tooLittle, ["amount": balance])
    }
}

/// The error messages of the form, in the reader's language.
struct PackageMessages: Sendable {
    private static let ownFields: Set<String> = [
        "title", "from", "to", "weight", "reward", "moneyLock", "description", "deadline", "deadlineDay", "pictureId",
        "picture",
    ]
    private static let gramsPerKilogram: Int64 = 1_000

    private let error: AppError?
    private let faults: [String: String]
    private let t: CarrepsaStrings
    private let formatter: CarrepsaFormatter
    /// The error at the weight; empty for none.
    let weight: String
    /// The error at the reward; empty for none.
    let reward: String
    /// The error at the pickup day; empty for none.
    let deadline: String
    /// The error at the photo; empty for none.
    let picture: String

    init(
        _ error: AppError?, _ typed: PackageFormState, wallet: Wallet, _ t: CarrepsaStrings,
        _ formatter: CarrepsaFormatter
    ) {
        self.error = error
        self.t = t
        self.formatter = formatter
        faults = error?.fields ?? [:]
        if faults["weight"] == nil {
            weight = ""
        } else if typed.weight.allSatisfy(\.isWhitespace) {
            weight = t.form.missing
        } else {
            let most = String(Limits.packageWeightGrams / Self.gramsPerKilogram)
            weight = CarrepsaStrings.fill(t.form.weightInvalid, ["most": most])
        }
        deadline = faults["deadline"] == nil && faults["deadlineDay"] == nil ? "" : t.form.deadlineInvalid
        if error?.code == .tooLarge {
            picture = t.form.pictureTooLarge
        } else if let fault = faults["picture"] {
            picture = fault
        } else {
            picture = faults["pictureId"] == nil ? "" : t.form.pictureInvalid
        }
        if error?.code == .insufficientFunds {
            reward = CarrepsaStrings.fill(t.form.tooLittle, ["amount": formatter.money(wallet.balance)])
        } else {
            reward = Self.amount("reward", typed.reward, faults, t, formatter)
        }
    }

    /// Returns the error at a text field; empty for none.
    func text(_ field: String, _ typed: String, characters: Int) -> String {
        guard let fault = faults[field] else { return "" }
        if typed.allSatisfy(\.isWhitespace) { return t.form.missing }
        if typed.count > characters { return CarrepsaStrings.fill(t.form.tooLong, ["n": String(characters)]) }
        let isReadable = typed.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\r" || scalar.properties.generalCategory != .control
        }
        return isReadable ? fault : t.form.unreadable
    }

    /// Returns the error at an amount; empty for none.
    func amount(_ field: String, _ typed: String) -> String { Self.amount(field, typed, faults, t, formatter) }

    /// The error that belongs to no field.
    var form: String? {
        guard let error, error.code != .tooLarge, error.code != .insufficientFunds else { return nil }
        if error.code == .conflict { return t.form.keyReused }
        return error.fields.keys.contains { Self.ownFields.contains($0) } ? nil : error.message
    }

    private static func amount(
        _ field: String, _ typed: String, _ faults: [String: String], _ t: CarrepsaStrings,
        _ formatter: CarrepsaFormatter
    ) -> String {
        guard faults[field] != nil else { return "" }
        if typed.allSatisfy(\.isWhitespace) { return t.form.missing }
        return CarrepsaStrings.fill(
            t.form.amountInvalid,
            [
                "example": formatter.example, "least": formatter.money(1),
                "most": formatter.money(Limits.packageMoneyMinor),
            ])
    }
}
