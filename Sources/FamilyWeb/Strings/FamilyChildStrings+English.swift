extension FamilyChildStrings {
    static let english = FamilyChildStrings(
        my: .english, code: .english, door: .english, devices: .english, invitation: .english, looks: .english
    )
}

extension FamilyChildPageStrings {
    static let english = FamilyChildPageStrings(
        hello: "Hi, {name}!",
        profile: "My page",
        siblings: "Brothers and sisters",
        goal: "{n} to go: {reward}",
        allReached: "All rewards reached!",
        noContract: "Every chore counts. Rewards come with the next contract.",
        stars: "Level {n}",
        ask: "I have done something",
        askLead: "Tap what you have done. A parent gives you the points.",
        askLabel: "I have done “{chore}”",
        asked: "“{chore}”: a parent will look at it",
        askedNote: "Waiting for a parent",
        noChores: "There are no chores yet. A parent adds them.",
        done: "What I have done",
        doneNone: "Nothing yet. The chores that you finish appear here with their points.",
        rewards: "My rewards",
        rewardsOf: "Rewards",
        doneBy: "Finish chores",
        handedOver: "You have it",
        handedOverOther: "Handed over",
        waiting: "Ask for it!",
        all: "Show all",
        celebrate: "Level {n} reached!",
        celebrateAll: "All levels reached!",
        great: "Great!",
        menu: "More",
        edit: "Edit",
        editTitle: "My profile",
        updated: "Your profile is updated",
        theme: "Theme",
        devices: "My devices",
        devicesNote: "Where you are signed in",
        parents: "Parents",
        gone: "This profile no longer exists.",
        reachedAt: "at {n}",
        togo: "{n} to go",
        lost: "Lost again"
    )
}

extension FamilyCodeStrings {
    static let english = FamilyCodeStrings(
        title: "QR code Scan",
        lead: "Let {name} sign in with this code.",
        stepOpen: "On {name}’s device, open {site} and tap the scan button at the top right.",
        stepScan: "Hold its camera over the code. The phone’s own camera works, too.",
        stepOnce: "The code works once and expires after 10 minutes. This page then shows a new one.",
        label: "{name}’s code",
        left: "Expires in",
        link: "Or send the link",
        copy: "Copy link",
        share: "Share link",
        show: "Show a code",
        again: "Show a new code",
        offline: "No connection: no code can be shown. A new one appears as soon as you are back online.",
        failed: "The code couldn’t be created. Try again.",
        replaced: "Another device shows a newer code. This one no longer works.",
        used: "{name} is signed in on a device. Here is a new code for another one.",
        renewed: "Here is a new code.",
        childGone: "{name} was deleted.",
        making: "Creating a code …",
        isSecret: "Scanning this code signs in as {name}. Don’t show it to anyone else."
    )
}

extension FamilySignInStrings {
    static let english = FamilySignInStrings(
        scanTitle: "Scan code",
        scanLead: "Hold the camera over the code that a parent shows you.",
        scanSearching: "Looking for a code …",
        scanForeign: "This isn’t a code of your family. Scan the one that a parent shows you.",
        scanRefused: "This code no longer works. Ask a parent for a new one.",
        deadTitle: "You need a new code",
        deadText: "This code no longer works. Each code works once and expires after 10 minutes.",
        deadAsk: "Ask a parent to open your page in Homeward, tap the plus at the top right and choose “QR code Scan”.",
        deadScan: "Then scan the new code.",
        deadHome: "To your family",
        scanThrottled: "Too many wrong codes. Wait a quarter of an hour, then try again.",
        scanOffline: "No connection. Check it, then scan again.",
        scanSlow: "No code found. Move closer and hold still, or ask a parent for a new one.",
        scanClosed: "No code was scanned.",
        scanFound: "Signing in …",
        scanPhoto: "Take a photo of the code",
        scanPhotoUnread: "No code found in this photo. Move closer and hold still.",
        scanNoScript: "Open your phone’s camera app and hold it over the code instead.",
        signInPage: "Sign in",
        title: "Is that you?",
        signInAs: "Sign in as {name}",
        notMe: "That’s not me",
        signedInAs: "You are signed in as {name} here. If you continue, {name} is signed out.",
        welcome: "Hi, {name}!"
    )
}

extension FamilyDeviceStrings {
    static let english = FamilyDeviceStrings(
        title: "{name}’s devices",
        mine: "My devices",
        lead: "The devices on which {name} is signed in. Signing one out takes effect at once.",
        mineLead: "The devices on which you are signed in.",
        lastUsed: "Last used",
        current: "This device",
        signOut: "Sign out",
        question: "Sign out “{device}”?",
        signedOut: "The device is signed out",
        noneTitle: "Not signed in anywhere",
        noneText: "Show a QR code and scan it with the child’s device.",
        show: "Show a QR code",
        void: "Revoke open codes",
        voidNote: "Codes that you showed or sent no longer work.",
        voided: "All open codes were revoked",
        more: "Show more"
    )
}

extension FamilyInvitationStrings {
    static let english = FamilyInvitationStrings(
        title: "Invite a parent",
        lead: "Another adult can run the family with you: see the children, give points, agree on contracts.",
        make: "Create an invitation",
        again: "Create another one",
        note: "The link works once and expires after 24 hours. Send it only to the person you invite.",
        label: "Invitation",
        until: "Expires",
        copy: "Copy link",
        share: "Share link",
        done: "Done",
        joinTitle: "Join a family",
        joinLead: "{name} invites you to run the family together.",
        joinNote: "You can see and do the same as {name}: children, chores, points and contracts.",
        join: "Join",
        joined: "You are in the family now",
        signInFirst: "Sign in to join. Without an account, register first.",
        signIn: "Sign in",
        register: "Register",
        notNow: "Not now",
        forGrownUps: "This invitation is for adults.",
        unknown: "This invitation no longer works. Ask for a new one."
    )
}

extension FamilyAppearanceStrings {
    static let english = FamilyAppearanceStrings(
        theme: "Theme",
        avatar: "Avatar",
        photo: "Own photo",
        photoLabel: "Photo for the avatar",
        themes: [
            "standard": "Classic",
            "ocean": "Ocean",
            "forest": "Forest",
            "sunset": "Sunset",
            "berry": "Berry",
            "space": "Space",
            "candy": "Candy",
        ],
        avatars: [
            "bear": "Bear",
            "cat": "Cat",
            "dinosaur": "Dinosaur",
            "dog": "Dog",
            "fox": "Fox",
            "frog": "Frog",
            "lion": "Lion",
            "octopus": "Octopus",
            "owl": "Owl",
            "panda": "Panda",
            "penguin": "Penguin",
            "rabbit": "Rabbit",
            "rocket": "Rocket",
            "star": "Star",
            "turtle": "Turtle",
            "unicorn": "Unicorn",
        ]
    )
}
