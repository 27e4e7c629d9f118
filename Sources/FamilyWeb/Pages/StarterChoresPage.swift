import Family
import Kernel
import Pictures
import WebCore

/// The view model of the catalogue of chores.
struct StarterChoresPage: Sendable {
    let shell: Shell
    let formAction: String
    let problem: String?
    let groups: [StarterChoreGroup]
    let newChoreURL: String

    init(_ context: SignedInContext, _ offered: [OfferedChore], chosen: Set<StarterChore>, error: AppError?) {
        let t = context.t
        shell = .modal(context, title: t("Choose chores"), back: FamilyPath.root, t)
        formAction = FamilyPath.starterChores
        problem = error.map { $0.fields["chores"] ?? $0.message }
        groups = StarterChore.Age.allCases.map { age in
            StarterChoreGroup(
                groupTitle: t("Age {n} and up", ["n": String(age.rawValue)]),
                tiles: offered.filter { $0.chore.fromAge == age }.map { chore in
                    StarterChoreTile(chore, isChosen: chosen.contains(chore.chore), t)
                })
        }
        newChoreURL = FamilyPath.newChore
    }
}

/// The chores for one age.
struct StarterChoreGroup: Sendable {
    let groupTitle: String
    let tiles: [StarterChoreTile]
}

/// A chore that can be chosen.
struct StarterChoreTile: Sendable {
    let choreID: String
    let choreName: String
    let chorePictureURL: String
    let isAdded: Bool
    let isChosen: Bool

    init(_ offered: OfferedChore, isChosen: Bool, _ t: Translator) {
        choreID = offered.chore.rawValue
        choreName = offered.chore.name(t)
        chorePictureURL = offered.chore.pictureID.map { FamilyPath.picture($0, size: .small) } ?? ""
        isAdded = offered.isAdded
        self.isChosen = isChosen && !offered.isAdded
    }
}

extension StarterChore {
    /// The chore's name in the reader's language.
    func name(_ t: Translator) -> String {
        switch self {
        case .tidyToys: t("Tidy up the toys")
        case .laundryBasket: t("Put clothes in the laundry")
        case .brushTeeth: t("Brush your teeth")
        case .getDressed: t("Get dressed")
        case .feedPet: t("Feed the pet")
        case .waterPlants: t("Water the plants")
        case .makeBed: t("Make your bed")
        case .setTable: t("Set the table")
        case .clearTable: t("Clear the table")
        case .tidyRoom: t("Tidy your room")
        case .packSchoolBag: t("Pack your school bag")
        case .sortSocks: t("Sort the socks")
        case .homework: t("Homework")
        case .read: t("Read a book", context: "chore")
        case .practiseMusic: t("Practise your instrument")
        case .emptyDishwasher: t("Empty the dishwasher")
        case .sweepFloor: t("Sweep the floor")
        case .takeOutRubbish: t("Take out the rubbish")
        case .walkDog: t("Walk the dog")
        case .vacuum: t("Vacuum")
        case .foldLaundry: t("Fold the laundry")
        case .washDishes: t("Wash the dishes")
        case .cleanBathroom: t("Clean the bathroom")
        case .cookMeal: t("Cook a meal")
        case .rakeLeaves: t("Rake the leaves")
        case .shopping: t("Go shopping")
        }
    }
}
