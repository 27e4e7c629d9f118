import Family
import Kernel
import Pictures
import WebCore

/// The pad on which a child taps the pictures of its picture PIN.
struct PicturePad: Sendable {
    let personID: String
    let checkURL: String
    /// Whether pictures that were tapped before were wrong.
    let isWrong: Bool
    let padPictures: [PINPicture]
    let wrongText: String
    let chosenTexts: [String]

    init(_ child: PersonID, isWrong: Bool, _ t: Translator) {
        personID = child.description
        checkURL = FamilyPath.tabletChild(child) + "/picture-pin"
        self.isWrong = isWrong
        padPictures = PINPicture.all(t)
        wrongText = t.message(FamilyMessage.picturePINWrong.text)
        chosenTexts = (0...Limits.picturePINLength).map {
            t("{n} of {m} pictures", ["n": String($0), "m": String(Limits.picturePINLength)])
        }
    }
}

/// A picture of the pad.
struct PINPicture: Sendable {
    /// Built-in avatars. A stored PIN refers to their places: never change the order.
    private static let names = ["cat", "dog", "fox", "frog", "lion", "owl", "rocket", "star", "turtle"]

    let number: String
    let pictureName: String
    let pictureURL: String
    let isChosen: Bool

    /// Returns all pictures in their order.
    /// - Parameter chosen: the number of the chosen one; `nil` for none.
    static func all(_ t: Translator, chosen: String? = nil) -> [PINPicture] {
        let avatars = Dictionary(BuiltinAvatars.all.map { ($0.name, $0.id) }) { one, _ in one }
        let texts = AvatarNames(t: t)
        return zip(Limits.picturePINPictures, names).map { number, name in
            PINPicture(
                number: String(number), pictureName: texts.name(name),
                pictureURL: avatars[name].map { FamilyPath.picture($0, size: .small) } ?? "",
                isChosen: chosen == String(number))
        }
    }
}

/// The page on which a parent sets a child's picture PIN.
struct PicturePINPage: Sendable {
    /// The places of the pictures, beginning with 1.
    static let positions = Array(1...Limits.picturePINLength)

    let shell: Shell
    let formAction: String
    let removeURL: String
    let isSet: Bool
    let lead: String
    let problem: String?
    let pinError: String
    let places: [PINPlace]

    init(_ context: SignedInContext, _ child: Child, isSet: Bool, typed: [String], error: AppError?) {
        let t = context.t
        shell = .modal(context, title: t("Picture PIN"), back: FamilyPath.tablets, t)
        formAction = FamilyPath.picturePIN(of: child.id) + "?_method=put"
        removeURL = FamilyPath.picturePIN(of: child.id) + "?_method=delete"
        self.isSet = isSet
        lead = t(
            "{name} taps these pictures, in this order, before reporting a chore on the shared tablet. This keeps children from reporting chores for each other.",
            ["name": child.name])
        let errors = FormErrors(error)
        problem = errors.message
        pinError = errors["pin"] ?? ""
        places = Self.positions.map { position in
            PINPlace(
                fieldName: "picture\(position)", legend: t("Picture {n}", ["n": String(position)]),
                choices: PINPicture.all(t, chosen: typed.indices.contains(position - 1) ? typed[position - 1] : nil))
        }
    }
}

/// The choice of one picture.
struct PINPlace: Sendable {
    let fieldName: String
    let legend: String
    let choices: [PINPicture]
}
