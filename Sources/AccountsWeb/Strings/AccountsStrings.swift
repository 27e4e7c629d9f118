/// What people read on the pages of accounts, in one language.
package struct AccountsStrings: Sendable {
    /// The product.
    package let product: String
    /// What it is, in one line.
    package let slogan: String
    /// The tab of Tracking's list.
    package let items: String
    /// Tab and title of the start page.
    package let home: String
    /// Tab and title of the library.
    package let photos: String
    /// Tab and title of the settings.
    package let settings: String
    /// The app's name.
    package let tracking: String
    /// The app in one line.
    package let trackingNote: String
    /// The app's name.
    package let family: String
    /// The app in one line.
    package let familyNote: String
    /// The app's name.
    package let carrepsa: String
    /// The app in one line.
    package let carrepsaNote: String

    /// Title and button.
    package let signIn: String
    /// Leads to the scanner for children.
    package let scanCode: String
    /// Row and button.
    package let signOut: String
    /// Title and button.
    package let register: String
    /// Title and button of sign-in, on the way to Carrepsa.
    package let logIn: String
    /// Title and button of registration, on the way to Carrepsa.
    package let signUp: String
    /// Leads from sign-in to registration.
    package let noAccountYet: String
    /// Leads from registration to sign-in.
    package let accountAlready: String
    /// Leads to the page for a forgotten password.
    package let forgotPassword: String
    /// A field.
    package let email: String
    /// A field.
    package let password: String
    /// A field.
    package let newPassword: String
    /// A field.
    package let currentPassword: String
    /// Says how long a password must be.
    package let passwordHint: String
    /// At a password that was lost because another field was wrong.
    package let passwordAgain: String
    /// A field.
    package let name: String
    /// A field.
    package let phone: String
    /// Says what a phone number looks like.
    package let phoneHint: String
    /// A field.
    package let dateOfBirth: String
    /// Title of the popup for the email.
    package let mail: String
    /// What the email is for.
    package let mailHint: String
    /// Why an app asks for the phone number.
    package let phoneWhy: String
    /// Why an app asks for the date of birth.
    package let dateOfBirthWhy: String
    /// Button.
    package let goOn: String

    /// Button.
    package let save: String
    /// Button.
    package let sendLink: String
    /// Says what happens to the link.
    package let resetExplained: String
    /// Where this server sends no mail.
    package let resetByOperator: String
    /// After the request, whoever's email it was.
    package let resetSent: String
    /// Title.
    package let choosePassword: String
    /// Toast.
    package let passwordChosen: String
    /// Title.
    package let linkGone: String
    /// What to do then.
    package let linkGoneNote: String
    /// Button.
    package let askForNewLink: String
    /// Title.
    package let confirmEmail: String
    /// What the button is for.
    package let confirmEmailNote: String
    /// Button.
    package let confirm: String
    /// Toast.
    package let emailConfirmed: String
    /// Badge beside an email.
    package let notConfirmed: String
    /// Button.
    package let sendConfirmation: String
    /// Toast.
    package let confirmationSent: String

    /// Title.
    package let profile: String
    /// Label of the photo.
    package let yourPhoto: String
    /// Row: how somebody is told that a thing is too far.
    package let alerts: String
    /// Title and row.
    package let mapsApp: String
    /// A maps app.
    package let appleMaps: String
    /// A maps app.
    package let googleMaps: String
    /// Nothing picked.
    package let askMe: String
    /// Why there is a choice.
    package let mapsNote: String
    /// Title and row.
    package let lightOrDark: String
    /// What the choice does.
    package let lightOrDarkNote: String
    /// Light or dark as the device is set.
    package let asTheDevice: String
    /// Dark on light.
    package let light: String
    /// Light on dark.
    package let dark: String
    /// Title and row.
    package let theme: String
    /// The themes' names, by their id.
    package let themes: [String: String]
    /// What a theme does.
    package let themeNote: String
    /// Title and row.
    package let language: String
    /// What the choice does.
    package let languageNote: String
    /// Follows the browser.
    package let automatic: String
    /// Group of rows.
    package let appearance: String
    /// Group of rows.
    package let security: String
    /// Group of rows.
    package let data: String
    /// Title and row.
    package let devices: String
    /// What the list is for.
    package let devicesNote: String
    /// Marks the device that asks.
    package let thisDevice: String
    /// Before a time.
    package let lastUsed: String
    /// Before a time.
    package let signedInSince: String
    /// Asks before signing a device out; `NAME` stands for its name.
    package let revokeQuestion: String
    /// Toast.
    package let revoked: String
    /// Shows the next page of a list.
    package let showMore: String
    /// Title and row.
    package let changePassword: String
    /// What happens to other devices.
    package let changePasswordNote: String
    /// Toast.
    package let passwordChanged: String
    /// Row.
    package let export: String
    /// What is in it.
    package let exportNote: String
    /// Title, row and button.
    package let deleteAccount: String
    /// What that means.
    package let deleteNote: String
    /// What goes along, one sentence for each kind of thing.
    package let deleteTakes: [String]
    /// The question before it.
    package let deleteQuestion: String
    /// Toast.
    package let accountDeleted: String
    /// Toast.
    package let saved: String
    /// Toast.
    package let signedOut: String
    /// Greets on the start page; `NAME` stands for the name.
    package let hello: String

    /// Button.
    package let addPhoto: String
    /// Empty library.
    package let noPhotos: String
    /// What the library is for.
    package let photosNote: String
    /// Link below a photo.
    package let saveToPhone: String
    /// Button.
    package let delete: String
    /// The question before it.
    package let deletePhotoQuestion: String
    /// Toast.
    package let photoDeleted: String
    /// Toast.
    package let photoAdded: String
    /// Read out for a photo; a time follows.
    package let photoFrom: String
    /// No file in the form.
    package let photoMissing: String
    /// No such size.
    package let sizeUnknown: String
}
