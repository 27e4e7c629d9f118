extension FamilyStrings {
    static let english = FamilyStrings(
        common: .english, welcome: .english, dashboard: .english, person: .english, chores: .english,
        contract:
            .english, profile: .english, assign: .english, account: .english, units: .english, parents: .english,
        deletion: .english,
        child: .english
    )
}

extension FamilyCommonStrings {
    static let english = FamilyCommonStrings(
        family: "Family",
        account: "Account",
        home: "Home",
        cancel: "Cancel",
        update: "Update",
        edit: "Edit",
        delete: "Delete",
        undo: "Undo",
        more: "Show more",
        movedOn:
            "This was changed elsewhere. You now see the current state with your changes. Save again to keep them.",
        deleted: "It is deleted"
    )
}

extension FamilyWelcomeStrings {
    static let english = FamilyWelcomeStrings(
        lead: "Chores done, points gained, rewards shared.",
        choresTitle: "Chores",
        choresText: "Set the table, walk the dog: give 1, 2 or 3 points for what was done.",
        rewardsTitle: "Rewards",
        rewardsText: "Agree with each child on what waits at which level.",
        childrenTitle: "Children",
        childrenText: "They sign in on their own device with a QR code, without an email address.",
        signIn: "Sign in",
        register: "Register",
        scan: "Scan a code"
    )
}

extension FamilyDashboardStrings {
    static let english = FamilyDashboardStrings(
        hello: "Hello, {name}",
        add: "Add",
        addChild: "Add a child",
        addChore: "Add a chore",
        emptyTitle: "No children yet",
        emptyText: "Add a child with the plus at the top right. Then give points for chores and agree on rewards.",
        gained: "{n} of {max}",
        gainedLabel: "Gained points",
        inAll: "{n} in all",
        achievementLabel: "Achievement points",
        level: "Level {n}",
        levelLabel: "Prize level",
        noContract: "No contract yet",
        waitingOne: "1 chore to approve",
        waiting: "{n} chores to approve",
        choose: "Choose a child"
    )
}

extension FamilyPersonStrings {
    static let english = FamilyPersonStrings(
        addTitle: "Add a child",
        editTitle: "Edit {name}",
        editOwnTitle: "Edit profile",
        name: "Name",
        childName: "Child's name",
        dateOfBirth: "Date of birth",
        added: "{name} is in the family now",
        updated: "{name} is updated",
        ownUpdated: "Your profile is updated",
        delete: "Delete {name}",
        deleteQuestion: "Delete {name}?",
        deleteText: "All devices of {name} are signed out. You can restore {name} with all points and rewards for 7 "
            + "days. All parents are notified.",
        deleted: "{name} is deleted",
        restored: "{name} is back",
        theme: "Theme"
    )
}

extension FamilyChoreStrings {
    static let english = FamilyChoreStrings(
        title: "Chores",
        addTitle: "Add a chore",
        editTitle: "Edit chore",
        name: "Name",
        namePlaceholder: "What is there to do?",
        photo: "Picture of the chore",
        photoHint: "Take a photo, or choose one from this device",
        added: "“{name}” is added",
        addedTwin: "“{name}” is added. There is another chore with the same name or picture.",
        updated: "“{name}” is updated",
        updatedTwin: "“{name}” is updated. There is another chore with the same name or picture.",
        delete: "Delete chore",
        deleted: "“{name}” is deleted",
        restored: "“{name}” is back",
        deleteNote: "Chores that were already done keep their points.",
        noneText: "Add a chore with a picture that every child understands.",
        pictureTooLarge: "This picture is larger than 10 MB. Choose a smaller one."
    )
}

extension FamilyContractStrings {
    static let english = FamilyContractStrings(
        title: "Add contract",
        maximum: "Maximum points",
        maximumHint: "How many points can be gained, from 1 to 1,000,000",
        description: "Description",
        descriptionHint: "Optional: what you have agreed on",
        levels: "Levels",
        levelsHint: "Each level follows the one above it. Together they can’t need more points than the maximum.",
        level: "Level {n}",
        reward: "Reward",
        rewardPlaceholder: "Cinema, a later bedtime …",
        points: "Points",
        addLevel: "Add a level",
        removeLevel: "Remove level {n}",
        sum: "{n} of {max} points used",
        replaces:
            "{name}’s current contract ends and is kept in the history. Gained points start at 0 again; "
            + "achievement points stay.",
        added: "The new contract has begun",
        history: "Contracts",
        present: "Current contract",
        ended: "Ended",
        noneTitle: "No contract yet",
        noneText: "Until there is one, points count as achievement only."
    )
}

extension FamilyProfileStrings {
    static let english = FamilyProfileStrings(
        edit: "Edit",
        add: "Add",
        addContract: "Add contract",
        qrCode: "QR code Scan",
        assign: "Assign chores",
        gainedPoints: "Gained points",
        achievementPoints: "Achievement points",
        prizeLevel: "Prize level",
        ofMaximum: "{n} of {max}",
        rewards: "Rewards",
        levelNumber: "Level {n}",
        reached: "Reached",
        toGo: "{n} to go",
        lost: "Lost again",
        at: "at {n}",
        handedOver: "Handed over",
        handOver: "Hand over",
        handOverLabel: "Mark “{reward}” as handed over",
        takeBackLabel: "“{reward}” is not handed over yet",
        markedOver: "“{reward}” is handed over",
        markedBack: "“{reward}” still waits",
        surplus: "{n} above the maximum. They count as achievement.",
        finished: "Finish chores",
        noneFinished: "What {name} has done is shown here, with its points.",
        allFinished: "Show all",
        by: "by {name}",
        plus: "+{n}",
        undone: "Undone",
        undo: "Undo",
        undoLabel: "Undo {points} for “{chore}”",
        undoQuestion: "Take back {points} for “{chore}”?",
        undoNote: "Gained and achievement points go down again.",
        requests: "Waiting for points",
        decline: "Decline",
        givePoints: "Give {points} for “{chore}”",
        declineLabel: "Decline “{chore}”",
        approved: "{points} for “{chore}”",
        declined: "“{chore}” is declined",
        tooLate: "This was changed elsewhere. Look at it again.",
        devices: "Devices",
        devicesNone: "Not signed in anywhere",
        deviceOne: "Signed in on 1 device",
        deviceCount: "Signed in on {n} devices",
        born: "Born on {date}",
        history: "Contracts so far",
        noContractText: "Agree on points and rewards with {name}. Until then chores count as achievement only.",
        more: "More"
    )
}

extension FamilyAssignStrings {
    static let english = FamilyAssignStrings(
        title: "Assign chores",
        lead: "Choose points for what {name} has done.",
        assign: "Assign",
        close: "Close",
        pointsFor: "Points for {chore}",
        none: "None",
        noneChosen: "Choose 1, 2 or 3 points for at least one chore.",
        gone:
            "A chore that you chose was deleted. No points were given. Check the others and assign them again.",
        booked: "{points} for {name}",
        noChoresTitle: "No chores yet",
        noChoresText: "Add a chore first, then give points for it."
    )
}

extension FamilyAccountStrings {
    static let english = FamilyAccountStrings(
        title: "Account",
        menu: "Add or sign out",
        signOut: "Sign out",
        invite: "Invite a parent",
        parents: "Parents",
        parentsNote: "All parents of the family can see and do the same.",
        you: "You",
        settings: "Settings",
        settingsNote: "Email, password, language, your data",
        choresNote: "Tap a chore to change or delete it."
    )
}

extension FamilyUnitStrings {
    static let english = FamilyUnitStrings(
        onePoint: "1 point",
        points: "{n} points",
        now: "now",
        minutesAgo: "{n}\u{a0}min ago",
        hoursAgo: "{n}\u{a0}hr ago",
        dayAgo: "1\u{a0}day ago",
        daysAgo: "{n}\u{a0}days ago",
        date: "{day} {month} {year}",
        groupSeparator: ",",
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
    )
}
