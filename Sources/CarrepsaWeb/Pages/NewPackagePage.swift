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
    var requiresPhotos = false
    /// The texts of the fields in ``placeFields``, by their names.
    var places: [String: String] = [:]
    /// The raw value of ``PackageSize``; empty for none.
    var size = ""
    /// The version from which the form was rendered; empty for a new package.
    var version = ""

    static let placeFields = [
        "fromLatitude", "fromLongitude", "fromOpeningTimes", "toLatitude", "toLongitude", "toOpeningTimes",
    ]

    init() {}

    /// The values of an own package.
    /// - Parameter keepsDeadline: whether the latest pickup is one of them.
    init(_ package: Package, keepsDeadline: Bool, _ formatter: CarrepsaFormatter) {
        title = package.title
        from = package.from
        to = package.to
        weight = formatter.kilograms(package.weightGrams)
        reward = formatter.typed(package.reward)
        moneyLock = formatter.typed(package.moneyLock)
        description = package.description ?? ""
        pictureID = package.pictureID?.description ?? ""
        size = package.route.size?.rawValue ?? ""
        requiresPhotos = package.requiresPhotos
        version = String(package.version)
        for (name, end) in [("from", package.route.origin), ("to", package.route.destination)] {
            places[name + "Latitude"] = end.point.map { "\($0.latitude)" }
            places[name + "Longitude"] = end.point.map { "\($0.longitude)" }
            places[name + "OpeningTimes"] = end.openingTimes
        }
        guard keepsDeadline, let deadline = package.deadline else { return }
        // The deadline is the end of a day in the owner's time zone: its noon is in the same day of UTC.
        deadlineDay = String(deadline.adding(seconds: -Self.halfDaySeconds).rfc3339.prefix(Self.dayCharacters))
    }

    private static let halfDaySeconds: Int64 = 12 * 60 * 60
    /// The characters of `2026-03-01`.
    private static let dayCharacters = 10

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
        size = fields.typed("size")
        version = fields.typed("version")
        for name in Self.placeFields { places[name] = fields.typed(name) }
        requiresPhotos = fields.typed("requiresPhotos") == "on"
    }
}

/// The view model of a form field with its error message.
struct PackageField: Sendable {
    let fieldID: String
    let fieldName: String
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
    /// The values of `inputmode` and `autocapitalize`.
    let inputMode: String
    let capitalization: String
    let isRequired: Bool

    /// - Parameters:
    ///   - id: `nil` for the name. Fields of the same name on one page need different ones.
    ///   - isContact: whether the value is a phone number or an email address.
    init(
        _ name: String, _ label: String, id: String? = nil, value: String, placeholder: String = "", hint: String = "",
        unit: String = "", message: String, isContact: Bool = false, isRequired: Bool = false
    ) {
        self.isRequired = isRequired
        inputMode = isContact ? "email" : "text"
        capitalization = isContact ? "none" : "sentences"
        fieldID = id ?? name
        fieldName = name
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

/// The purpose of the form of a package.
enum PackageFormPurpose: Sendable {
    case new
    /// Changes the terms of an own offer.
    case edit(Package)

    var edited: Package? {
        if case .edit(let package) = self { package } else { nil }
    }
}

/// The view model of *New package* and *Edit offer*.
struct NewPackagePage: Sendable {
    let shell: Shell
    let formAction: String
    let problem: String?
    let textFields: [PackageField]
    let weightField: PackageField
    let rewardField: PackageField
    let lockField: PackageField
    let descriptionField: PackageField
    let deadlineField: PackageField
    let photo: PhotoField
    let places: PackagePlacesView
    /// The version from which the form was rendered; `nil` for a new package.
    let version: String?
    let submitLabel: String
    /// Where the form asks for a price; `nil` for an edited offer.
    let suggestionURL: String?
    /// Why the reward and the deposit were filled in; `nil` without a suggestion.
    let suggestionText: String?
    let requiresPhotos: Bool
    /// Whether one of the collapsed fields has a value or an error.
    let isUnfolded: Bool
    /// Where the form loads the balance after the wallet has changed; `nil` for an edited offer.
    let fundsURL: String?
    /// The balance in minor units, which the script compares with the reward.
    let balanceMinor: Int64
    let currencyDigits: Int
    let tooLittleText: String

    init(
        _ context: SignedInContext, _ purpose: PackageFormPurpose, typed: PackageFormState,
        suggestion: PriceSuggestion?, wallet: Wallet, map: RouteFormMap,
        error: AppError?, t: Translator, formatter: CarrepsaFormatter
    ) {
        let edited = purpose.edited
        shell = Shell(
            context, title: edited == nil ? t("New package") : t("Edit offer"), menu: .carrepsa(t),
            tab: (edited == nil ? CarrepsaTab.new : .mine).rawValue, isNarrow: true,
            back: edited.map { ShellBack(url: CarrepsaPath.package($0.id), label: t("Cancel"), isCancel: true) })
        formAction = edited.map { CarrepsaPath.package($0.id) + "?_method=put" } ?? CarrepsaPath.packages
        version = edited == nil ? nil : typed.version
        submitLabel = edited == nil ? t("Request delivery") : t("Save")
        suggestionURL = edited == nil ? CarrepsaPath.priceSuggestions : nil
        suggestionText = suggestion.map {
            $0.reason(fillsDeposit: typed.moneyLock == formatter.typed($0.deposit), t)
        }
        let available = wallet.balance + (edited.map { $0.isRewardHeld ? $0.reward : 0 } ?? 0)
        let messages = PackageMessages(error, typed, available: available, isEdit: edited != nil, t, formatter)
        places = PackagePlacesView(context, typed, messages.faults, map, t)
        problem = messages.form
        textFields = [
            PackageField(
                "title", t("Title"), value: typed.title, placeholder: t("What is it?"),
                message: messages.text("title", typed.title, characters: Limits.nameCharacters)
            ),
            PackageField(
                "from", t("From"), value: typed.from, placeholder: t("Town or street"),
                message: messages.text("from", typed.from, characters: Limits.placeCharacters)
            ),
            PackageField(
                "to", t("To"), value: typed.to, placeholder: t("Town or street"),
                message: messages.text("to", typed.to, characters: Limits.placeCharacters)
            ),
        ]
        weightField = PackageField(
            "weight", t("Weight"), value: typed.weight, unit: t("kg"), message: messages.weight)
        let balance = formatter.money(available)
        rewardField = PackageField(
            "reward", t("Reward"), value: typed.reward,
            hint: t("Goes to the carrier on delivery. You have {amount}.", ["amount": balance]), unit: formatter.symbol,
            message: messages.reward
        )
        lockField = PackageField(
            "moneyLock", t("Deposit"), value: typed.moneyLock,
            hint: t(
                """
                The money lock: the carrier puts this up, and you get it if the package is lost. Choose what the \
                package is worth.
                """),
            unit: formatter.symbol, message: messages.amount("moneyLock", typed.moneyLock)
        )
        descriptionField = PackageField(
            "description", t("Description"), value: typed.description,
            hint: t("Size, how to find you, what to take care of"),
            message: messages.text("description", typed.description, characters: Limits.descriptionCharacters)
        )
        deadlineField = PackageField(
            "deadlineDay", t("Pick up by"), value: typed.deadlineDay,
            hint: t("If it isn’t picked up by the end of this day, you and the carrier get your money back."),
            message: messages.deadline
        )
        let picture = ID<Picture>(typed.pictureID)
        photo = PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { CarrepsaPath.picture($0, size: .medium) },
            error: messages.picture, label: t("Photo")
        )
        requiresPhotos = typed.requiresPhotos
        isUnfolded =
            typed.requiresPhotos || !typed.description.isEmpty || !typed.deadlineDay.isEmpty || !typed.pictureID.isEmpty
            || descriptionField.isInvalid || deadlineField.isInvalid || !messages.picture.isEmpty
        fundsURL = edited == nil ? CarrepsaPath.newPackage : nil
        balanceMinor = available
        currencyDigits = wallet.currency.exponent
        tooLittleText = t("Not enough money. Your balance is {amount}.", ["amount": balance])
    }
}

/// The error messages of the form, in the reader's language.
struct PackageMessages: Sendable {
    private static let ownFields: Set<String> = [
        "title", "from", "to", "weight", "reward", "moneyLock", "description", "deadline", "deadlineDay", "pictureId",
        "picture", "size",
    ]
    private static let gramsPerKilogram: Int64 = 1_000

    private let error: AppError?
    private let isEdit: Bool
    let faults: [String: String]
    private let t: Translator
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
        _ error: AppError?, _ typed: PackageFormState, available: Int64, isEdit: Bool, _ t: Translator,
        _ formatter: CarrepsaFormatter
    ) {
        self.error = error
        self.isEdit = isEdit
        self.t = t
        self.formatter = formatter
        faults = error?.fields ?? [:]
        if faults["weight"] == nil {
            weight = ""
        } else if typed.weight.allSatisfy(\.isWhitespace) {
            weight = t("Fill this in.")
        } else {
            let most = String(Limits.packageWeightGrams / Self.gramsPerKilogram)
            weight = t("Enter a weight such as 2.5, up to {most} kg.", ["most": most])
        }
        deadline =
            faults["deadline"] == nil && faults["deadlineDay"] == nil ? "" : t("Choose a day that is not over yet.")
        if error?.code == .tooLarge {
            picture = PictureText.tooLarge(t)
        } else if let fault = faults["picture"] {
            picture = fault
        } else {
            picture = faults["pictureId"] == nil ? "" : t("Choose another photo.")
        }
        if error?.code == .insufficientFunds {
            reward = t(
                "Not enough money. Your balance is {amount}.", ["amount": formatter.money(available)])
        } else {
            reward = Self.amount("reward", typed.reward, faults, t, formatter)
        }
    }

    /// Returns the error at a text field; empty for none.
    func text(_ field: String, _ typed: String, characters: Int) -> String {
        guard let fault = faults[field] else { return "" }
        do throws(TextValidation.Failure) {
            let text = try TextValidation.lines(typed, characters: characters, bytes: Limits.descriptionBytes)
            return text == nil ? t("Fill this in.") : fault
        } catch {
            switch error {
            case .tooLong: return t("Use at most {n} characters.", ["n": String(characters)])
            case .controlCharacter: return t("Remove characters that aren’t allowed.")
            case .empty, .tooManyBytes: return fault
            }
        }
    }

    /// Returns the error at an amount; empty for none.
    func amount(_ field: String, _ typed: String) -> String { Self.amount(field, typed, faults, t, formatter) }

    /// The error that belongs to no field.
    var form: String? {
        guard let error, error.code != .tooLarge, error.code != .insufficientFunds else { return nil }
        if error.code == .conflict, isEdit { return error.message }
        if error.code == .conflict { return t("This form was sent before with other details. Load the page again.") }
        let known = Self.ownFields.union(PackageFormState.placeFields)
        return error.fields.keys.contains { known.contains($0) } ? nil : error.message
    }

    private static func amount(
        _ field: String, _ typed: String, _ faults: [String: String], _ t: Translator,
        _ formatter: CarrepsaFormatter
    ) -> String {
        guard faults[field] != nil else { return "" }
        if typed.allSatisfy(\.isWhitespace) { return t("Fill this in.") }
        return t(
            "Enter an amount such as {example}, from {least} to {most}.",
            [
                "example": formatter.example, "least": formatter.money(1),
                "most": formatter.money(Limits.packageMoneyMinor),
            ])
    }
}
