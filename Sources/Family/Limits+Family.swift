package import Kernel
import Recurrence

extension Limits {
    /// The most points that an imported child or contract may have.
    static let importedPoints: ClosedRange<Int64> = 0...1_000_000_000
    /// The most days that an imported streak may have.
    static let importedStreakDays = 0...36_525
    /// Contracts of one child that are imported.
    static let importedContracts = 1_000
    /// Contracts of all children that are imported.
    static let importedContractsOfHousehold = 5_000
    /// Children in an archive: those of a household, and deleted ones that can be restored.
    static let importedChildren = childrenPerHousehold + deletedChildrenPerHousehold
    /// Seconds after a withdrawal in which the same parent can't announce the removal of the same parent again.
    package static let removalRepeatSeconds: Int64 = 7 * 24 * 60 * 60

    /// Skipped dates of one chore.
    static let skipsPerChore = 400
    /// Dates that the page of a schedule shows.
    package static let shownDates = 6
    /// Shared tablets of one household.
    package static let tabletsPerHousehold = 10
    /// The numbers of the pictures of a picture PIN.
    package static let picturePINPictures = 1...9
    /// Pictures of a picture PIN.
    package static let picturePINLength = 3
    /// Wrong picture PINs of one child in ``picturePINFailureSeconds``.
    static let picturePINFailures = 5
    /// Seconds in which wrong picture PINs are counted.
    static let picturePINFailureSeconds: Int64 = 5 * 60

    /// Sign-in codes of one child whose outcome is stored; the oldest ones are removed.
    package static let signInCodesKept = 20

    /// The maximum number of points of a contract.
    package static let contractPoints: Int64 = 1_000_000
    /// Levels of a contract.
    package static let contractLevels = 10
    /// Characters of a reward.
    package static let rewardCharacters = 100
    /// UTF-8 bytes of a reward.
    package static let rewardBytes = 2_000
    /// Points of one chore.
    package static let chorePoints: ClosedRange<Int64> = 1...3
    /// Steps of one chore.
    package static let choreSteps = 10
    /// Characters of a step.
    package static let stepCharacters = 60
    /// UTF-8 bytes of a step.
    package static let stepBytes = 1_000
    /// Hours after a child's request after which a chore's points are given automatically.
    package static let automaticHours: ClosedRange<Int64> = 1...168
    /// Days for which an occurrence of a chore that wasn't done is overdue.
    package static let overdueDays = 3
    /// Days before its date in which a chore can be done in advance.
    package static let earlyDays = 3
    /// Days whose points decide in a rotation by points.
    package static let rotationPointsDays = 28
    /// Days that a rotation looks back for its last turn, and for which turns are stored.
    static let rotationDays = 366
    /// Minutes before its due time for which a chore can remind.
    package static let reminderMinutes: ClosedRange<Int64> = 5...720
    /// Minutes of the grace period of a chore.
    package static let graceMinutes: ClosedRange<Int64> = 0...1_440
    /// The earliest time of the day at which an overdue chore reminds.
    static let reminderMorning = LocalTime(hour: 7, minute: 0) ?? .midnight
    /// The latest time of the day at which a chore reminds.
    static let reminderEvening = LocalTime(hour: 21, minute: 0) ?? .midnight
    /// Days after an occurrence in which its last reminder comes.
    static let reminderDays = 4
    /// Occurrences of a chore among which the next reminder is searched.
    static let reminderOccurrences = 8
    /// Seconds after its time in which a late reminder is still sent.
    static let reminderLateSeconds: Int64 = 6 * 60 * 60
    /// Seconds until reminders and reviews that failed are tried again.
    static let dueRetrySeconds: Int64 = 60 * 60
    /// Missed days that a streak can bear at most.
    static let streakFreezes = 2
    /// Days of a streak that earn one of them.
    static let streakFreezeDays = 7
    /// When the day before is reviewed, and on Mondays the week before.
    static let reviewTime = reminderMorning
    /// Days for which a day of a streak still changes with what is recorded, declined or undone later.
    static let streakOpenDays = 31
    /// Days of a summary.
    static let summaryDays = 7
    /// Coming occurrences of a chore among which each child's next one is searched.
    static let nextOccurrences = 31
    /// Days from today for which the turns of all chores are decided in advance.
    static let comingDays = 92
    /// Days from today to the last day on which a pause can begin or end.
    static let pauseAheadDays = 366
    /// Present and coming pauses of one household.
    static let pausesPerHousehold = 50
    /// Days for which an ended pause is stored.
    static let pauseKeptDays = 400
    /// Chores of one household.
    package static let choresPerHousehold = 200
    /// Children of one household.
    package static let childrenPerHousehold = 30
    /// Parents of one household.
    package static let parentsPerHousehold = 10
    /// Chores assigned in one request.
    package static let assignmentEntries = 100
    /// Rewards in the shop of one household.
    package static let rewardsPerHousehold = 100
    /// Characters of the name of a reward in the shop.
    package static let shopRewardCharacters = 60
    /// UTF-8 bytes of that name.
    package static let shopRewardBytes = 1_200
    /// The price in points of a reward in the shop.
    package static let shopPrices: ClosedRange<Int64> = 1...10_000
    /// The stock of a reward in the shop.
    package static let shopStock: ClosedRange<Int64> = 0...1_000
    /// Days after which the same child may buy a reward again.
    package static let shopCooldownDays: ClosedRange<Int64> = 1...365
    /// Wishes of one child on which no parent decided yet.
    package static let wishesPerChild = 20
    /// Purchases of one child that wait for a parent.
    package static let waitingPurchasesPerChild = 20
    /// Open requests for points of one child.
    package static let openRequestsPerChild = 50
    /// Seconds for which the deletion of a chore can be undone.
    package static let familyUndoSeconds: Int64 = 10 * 60
    /// Deleted children of one household that can be restored.
    package static let deletedChildrenPerHousehold = 60
    /// Random bytes of a child's sign-in code and of an invitation.
    package static let familyCodeBytes = 18
    /// Seconds that a child's sign-in code is valid.
    package static let signInCodeSeconds: Int64 = 10 * 60
    /// Seconds for which the outcome of such a code is stored.
    package static let signInCodeKeptSeconds: Int64 = 24 * 60 * 60
    /// Characters of the reason that a parent gives with a declined request.
    package static let declineReasonCharacters = 200
    /// UTF-8 bytes of that reason.
    package static let declineReasonBytes = 2_000
    /// Seconds for which a child sees that a request was declined.
    package static let declinedRequestSeconds: Int64 = 3 * 24 * 60 * 60
    /// The window in seconds in which parents are notified at most once of sign-in codes that another parent makes for
    /// a child.
    package static let codeNotificationSeconds: Int64 = 60 * 60
    /// The window in seconds in which parents are notified at most once of the same event of a child: a sign-in, a
    /// deletion, a restoration.
    package static let childNotificationSeconds: Int64 = 60
    /// Seconds from the announcement of a parent's removal until it takes effect.
    package static let removalNoticeSeconds: Int64 = 7 * 24 * 60 * 60
    /// Open invitations of one household; a further one replaces the oldest.
    package static let openInvitations = 20
    /// Wrong sign-in codes and invitations from one client address in ``throttleSeconds``.
    package static let familyCodeFailures = 100
}
