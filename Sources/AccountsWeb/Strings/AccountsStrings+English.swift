extension AccountsStrings {
    package static let english = AccountsStrings(
        product: "Homeward", slogan: "Find your things, run your family, carry your neighbours' packages.",
        items: "Items", home: "Home", photos: "Photos", settings: "Settings",
        tracking: "Tracking", trackingNote: "Know where your keys, bag and bike are.",
        family: "Family", familyNote: "Chores, points and rewards for children.",
        carrepsa: "Carrepsa", carrepsaNote: "Packages carried by neighbours.",
        signIn: "Sign in", scanCode: "Scan code", signOut: "Sign out", register: "Create account",
        logIn: "Login", signUp: "Sign up",
        noAccountYet: "Create an account", accountAlready: "I have an account",
        forgotPassword: "Forgot your password?", email: "Email", password: "Password",
        newPassword: "New password", currentPassword: "Current password", passwordHint: "8 to 200 characters",
        passwordAgain: "Enter your password again.",
        name: "Name", phone: "Phone",
        phoneHint: "Best with country code, such as +49 151 23456789", dateOfBirth: "Date of birth",
        mail: "Mail", mailHint: "You sign in with it.",
        phoneWhy: """
            The carrier or owner of your package can call you while it is under way. No one else sees your number.
            """,
        dateOfBirthWhy: "Family needs it to tell adults from children.", goOn: "Continue",
        save: "Save", sendLink: "Send link",
        resetExplained: "We send you a link with which you choose a new password. It works once, for an hour.",
        resetByOperator: "This server sends no mail. Ask its administrator for a link to choose a new password.",
        resetSent: "If there is an account with this email, a link is on its way. Check your mail.",
        choosePassword: "Choose a new password", passwordChosen: "Your password is set. Sign in with it.",
        linkGone: "This link no longer works", linkGoneNote: "It was used already, or it is too old.",
        askForNewLink: "Ask for a new link", confirmEmail: "Confirm email",
        confirmEmailNote: "Confirm that this email address is yours.", confirm: "Confirm",
        emailConfirmed: "Email confirmed", notConfirmed: "Not confirmed", sendConfirmation: "Send the link again",
        confirmationSent: "A link is on its way",
        profile: "Profile", yourPhoto: "Your photo", alerts: "Too far away",
        mapsApp: "Maps app", appleMaps: "Apple Maps",
        googleMaps: "Google Maps", askMe: "Not chosen", mapsNote: "Navigation to your items opens in this app.",
        lightOrDark: "Light or dark",
        lightOrDarkNote: "For this account, on all your devices.", asTheDevice: "As the device", light: "Light",
        dark: "Dark",
        theme: "Theme", themes: englishThemes, themeNote: "A theme changes the colour of buttons and marks.",
        language: "Language", languageNote: "Numbers, dates and times are written in it as well.",
        automatic: "Automatic", appearance: "Appearance", security: "Security",
        data: "Your data", devices: "Devices",
        devicesNote: "You are signed in on these. Sign out any that you don't know.", thisDevice: "This device",
        lastUsed: "Last used", signedInSince: "Signed in", revokeQuestion: "Sign out “NAME”?",
        revoked: "Device signed out", showMore: "Show more", changePassword: "Change password",
        changePasswordNote: "Your other devices are signed out.", passwordChanged: "Password changed",
        export: "Download everything", exportNote: "Everything stored about you, as a zip file.",
        deleteAccount: "Delete account",
        deleteNote: "Everything is deleted permanently and can't be restored.", deleteTakes: englishTakes,
        deleteQuestion: "Delete your account?", accountDeleted: "Your account is deleted", saved: "Saved",
        signedOut: "You are signed out", hello: "Hello NAME",
        addPhoto: "Add photo", noPhotos: "No photos yet",
        photosNote: "Photos that you use for your items are kept here so that you can choose them again.",
        saveToPhone: "Save to phone", delete: "Delete", deletePhotoQuestion: "Delete this photo?",
        photoDeleted: "Photo deleted", photoAdded: "Photo added", photoFrom: "Photo of",
        photoMissing: "Choose a photo.", sizeUnknown: "Choose small, medium or large."
    )

    private static let englishTakes = [
        "Your items and their positions, your safe places, and the links to trackers and phones.",
        """
        If you are the only parent of a family: its children with their accounts, chores, points and rewards. If there is \
        another parent, you only leave the family.
        """,
        "Your photos, notifications, passkeys, and all devices on which you are signed in.",
        "Carrepsa has to be settled first: no package under way, and no money in your wallet.",
    ]

    private static let englishThemes = [
        "standard": "Standard", "ocean": "Ocean", "forest": "Forest", "sunset": "Sunset", "berry": "Berry",
        "space": "Space", "candy": "Candy",
    ]
}
