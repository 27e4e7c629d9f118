package import Kernel

/// The texts of the account pages, in one language.
package struct AccountsStrings: Sendable {
    package let product: String
    /// The product in one line.
    package let slogan: String
    /// The tab of Tracking's list.
    package let items: String
    /// The tab and the title of the start page.
    package let home: String
    /// The tab and the title of the library.
    package let photos: String
    /// The tab and the title of the settings.
    package let settings: String
    package let tracking: String
    /// The app in one line.
    package let trackingNote: String
    package let family: String
    /// The app in one line.
    package let familyNote: String
    package let carrepsa: String
    /// The app in one line.
    package let carrepsaNote: String

    /// The title and the button.
    package let signIn: String
    /// The link to the scanner for children.
    package let scanCode: String
    /// The row and the button.
    package let signOut: String
    /// The title and the button.
    package let register: String
    /// The title and the button of sign-in, for Carrepsa.
    package let logIn: String
    /// The title and the button of registration, for Carrepsa.
    package let signUp: String
    /// The link from sign-in to registration.
    package let noAccountYet: String
    /// The link from registration to sign-in.
    package let accountAlready: String
    /// The link to the page for a forgotten password.
    package let forgotPassword: String
    package let email: String
    package let password: String
    package let newPassword: String
    package let currentPassword: String
    /// The note on the length of a password.
    package let passwordHint: String
    /// At a password that must be typed again because of an error in another field.
    package let passwordAgain: String
    package let name: String
    package let phone: String
    /// The note on the format of a phone number.
    package let phoneHint: String
    package let dateOfBirth: String
    /// The title of the popup for the email.
    package let mail: String
    /// The note on the use of the email.
    package let mailHint: String
    /// The reason why an app requires the phone number.
    package let phoneWhy: String
    /// The reason why an app requires the date of birth.
    package let dateOfBirthWhy: String
    package let goOn: String

    package let save: String
    package let sendLink: String
    /// The note on the link.
    package let resetExplained: String
    /// For a server that sends no mail.
    package let resetByOperator: String
    /// After the request, whether or not an account has the email.
    package let resetSent: String
    package let choosePassword: String
    package let passwordChosen: String
    package let linkGone: String
    /// The instruction below it.
    package let linkGoneNote: String
    package let askForNewLink: String
    package let confirmEmail: String
    /// The note on the button.
    package let confirmEmailNote: String
    package let confirm: String
    package let emailConfirmed: String
    /// A badge beside an email.
    package let notConfirmed: String
    package let sendConfirmation: String
    package let confirmationSent: String

    package let profile: String
    /// The label of the photo.
    package let yourPhoto: String
    /// The row for the separation alert.
    package let alerts: String
    package let mapsApp: String
    package let appleMaps: String
    package let googleMaps: String
    /// No app is chosen.
    package let askMe: String
    /// The note on the choice.
    package let mapsNote: String
    package let lightOrDark: String
    /// The note on the choice.
    package let lightOrDarkNote: String
    /// Follows the setting of the device.
    package let asTheDevice: String
    /// Dark text on a light background.
    package let light: String
    /// Light text on a dark background.
    package let dark: String
    package let theme: String
    /// The names of the themes by their id.
    package let themes: [String: String]
    /// The note on the themes.
    package let themeNote: String
    package let language: String
    /// The note on the choice.
    package let languageNote: String
    /// Follows the browser.
    package let automatic: String
    /// A group of rows.
    package let appearance: String
    /// A group of rows.
    package let security: String
    /// A group of rows.
    package let data: String
    package let devices: String
    /// The note on the list.
    package let devicesNote: String
    /// A mark for the device of this session.
    package let thisDevice: String
    /// Before a time.
    package let lastUsed: String
    /// Before a time.
    package let signedInSince: String
    /// The question before a device is signed out; `NAME` is replaced by its name.
    package let revokeQuestion: String
    package let revoked: String
    /// The link to the next page of a list.
    package let showMore: String
    package let changePassword: String
    /// The note on other devices.
    package let changePasswordNote: String
    package let passwordChanged: String
    package let export: String
    /// The note on the contents.
    package let exportNote: String
    /// The title, the row and the button.
    package let deleteAccount: String
    /// The note on the deletion.
    package let deleteNote: String
    /// The data that is deleted, one sentence for each kind.
    package let deleteTakes: [String]
    /// The question before the deletion.
    package let deleteQuestion: String
    package let accountDeleted: String
    package let saved: String
    package let signedOut: String
    /// The greeting on the start page; `NAME` is replaced by the person's name.
    package let hello: String

    package let addPhoto: String
    /// In an empty library.
    package let noPhotos: String
    /// The note on the library.
    package let photosNote: String
    /// The link below a photo.
    package let saveToPhone: String
    package let delete: String
    /// The question before the deletion.
    package let deletePhotoQuestion: String
    package let photoDeleted: String
    package let photoAdded: String
    /// For screen readers, at a photo; a time follows.
    package let photoFrom: String
    /// The form contains no file.
    package let photoMissing: String
    /// The requested size is unknown.
    package let sizeUnknown: String
}

extension AccountsStrings {
    /// Returns the texts in `language`.
    package static func of(_ language: Language) -> AccountsStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}
