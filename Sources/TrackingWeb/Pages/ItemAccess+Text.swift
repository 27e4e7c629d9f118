import Kernel
import Tracking

extension ItemAccess {
    /// The access in the list of people.
    func label(_ t: Translator) -> String {
        switch self {
        case .see: t("Can see it")
        case .locate: t("Can see and locate it")
        case .manage: t("Can manage it")
        case .own: t("Owner")
        }
    }

    /// What the access allows.
    func hint(_ t: Translator) -> String {
        switch self {
        case .see: t("Sees where it is and was, and who else can see it.")
        case .locate: t("Also locates it and makes it ring.")
        case .manage:
            t("Also turns it on and off, shares it, also by a public link, and looks after it when it is lost.")
        case .own: ""
        }
    }

    /// What the invitation offers to the invited person.
    func offer(_ t: Translator) -> String {
        switch self {
        case .see: t("You will see where it is and was.")
        case .locate: t("You will see where it is and was, locate it and make it ring.")
        case .manage, .own:
            t(
                "You will see where it is and was, locate it, turn it on and off, share it, and look after it when it is lost."
            )
        }
    }
}
