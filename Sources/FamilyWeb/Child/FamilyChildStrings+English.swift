extension FamilyChildStrings {
    static let english = FamilyChildStrings(
        my: .english, code: .english, door: .english, devices: .english, invitation: .english, looks: .english
    )
}

extension FamilyMyStrings {
    static let english = FamilyMyStrings(
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
        doneNone: "Nothing yet. What is done stands here with its points.",
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
        gone: "This profile is not there any more.",
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
        stepOnce: "The code works once, and for 10 minutes. A used or expired one is replaced here by itself.",
        label: "{name}’s code",
        left: "Good for",
        link: "Or send the link",
        copy: "Copy link",
        share: "Share link",
        show: "Show a code",
        again: "Show a new code",
        offline: "No connection: no code can be shown. A new one appears as soon as you are back online.",
        failed: "No code could be made.",
        replaced: "A newer code is shown on another device. This one is not good any more.",
        used: "{name} is signed in on a device. Here is a new code for another one.",
        renewed: "Here is a new code.",
        childGone: "{name} was deleted.",
        making: "A code is being made …",
        isSecret: "Whoever scans it is signed in as {name}. Show it to nobody else."
    )
}

extension FamilyDoorStrings {
    static let english = FamilyDoorStrings(
        scanTitle: "Scan code",
        scanLead: "Hold the camera over the code that a parent shows you.",
        scanSearching: "Looking for a code …",
        scanForeign: "This is not a code of your family. Scan the one that a parent shows you.",
        scanRefused: "This code is not good any more. Ask a parent for a new one.",
        deadTitle: "You need a new code",
        deadText: "This code is not good any more. A code works once, and for 10 minutes.",
        deadAsk: "Ask a parent to open your page in Homeward, tap the plus at the top right and choose “QR code Scan”.",
        deadScan: "Then scan the new code.",
        deadHome: "To your family",
        scanThrottled: "Too many wrong codes. Wait a quarter of an hour, then try again.",
        scanOffline: "No connection. Check it, then scan again.",
        scanSlow: "No code can be read. Go closer and hold still, or ask a parent for a new one.",
        scanClosed: "No code was scanned.",
        scanFound: "Signing in …",
        scanPhoto: "Take a photo of the code",
        scanPhotoUnread: "No code could be read in this photo. Go closer, and hold still.",
        scanNoScript: "Open your phone’s camera app and hold it over the code instead.",
        signInPage: "Sign in",
        title: "Is that you?",
        signInAs: "Sign in as {name}",
        notMe: "That’s not me",
        signedInAs: "You are signed in as {name} here. That ends when you go on.",
        welcome: "Hi, {name}!"
    )
}

extension FamilyDeviceStrings {
    static let english = FamilyDeviceStrings(
        title: "{name}’s devices",
        mine: "My devices",
        lead: "Where {name} is signed in. A device that you sign out is out at once.",
        mineLead: "Where you are signed in.",
        lastUsed: "Last used",
        current: "This device",
        signOut: "Sign out",
        question: "Sign out “{device}”?",
        signedOut: "The device is signed out",
        noneTitle: "Not signed in anywhere",
        noneText: "Show a QR code and scan it with the child’s device.",
        show: "Show a QR code",
        void: "Void codes that are still open",
        voidNote: "A code that you showed or sent cannot be used any more then.",
        voided: "No code is open any more",
        more: "Show more"
    )
}

extension FamilyInvitationStrings {
    static let english = FamilyInvitationStrings(
        title: "Invite a parent",
        lead: "Another grown-up can run the family with you: see the children, give points, agree on contracts.",
        make: "Make an invitation",
        again: "Make another one",
        note: "The link works once, and for 24 hours. Send it only to whom you mean.",
        label: "Invitation",
        until: "Good until",
        copy: "Copy link",
        share: "Share link",
        done: "Done",
        joinTitle: "Join a family",
        joinLead: "{name} invites you to run the family together.",
        joinNote: "You will see and do the same as {name}: children, chores, points and contracts.",
        join: "Join",
        joined: "You are in the family now",
        signInFirst: "Sign in to join. Without an account, register first.",
        signIn: "Sign in",
        register: "Register",
        notNow: "Not now",
        forGrownUps: "This invitation is for grown-ups.",
        unknown: "This invitation is not good any more. Ask for a new one."
    )
}

extension FamilyLooksStrings {
    static let english = FamilyLooksStrings(
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
