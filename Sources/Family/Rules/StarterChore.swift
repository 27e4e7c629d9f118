package import Kernel
package import Pictures

/// A chore of the catalogue that a household can add without a photo. The raw value names its built-in picture, and is
/// its id in the API.
package enum StarterChore: String, Sendable, CaseIterable {
    case tidyToys = "tidy-toys"
    case laundryBasket = "laundry-basket"
    case brushTeeth = "brush-teeth"
    case getDressed = "get-dressed"
    case feedPet = "feed-pet"
    case waterPlants = "water-plants"
    case makeBed = "make-bed"
    case setTable = "set-table"
    case clearTable = "clear-table"
    case tidyRoom = "tidy-room"
    case packSchoolBag = "pack-school-bag"
    case sortSocks = "sort-socks"
    case homework
    case read
    case practiseMusic = "practise-music"
    case emptyDishwasher = "empty-dishwasher"
    case sweepFloor = "sweep-floor"
    case takeOutRubbish = "take-out-rubbish"
    case walkDog = "walk-dog"
    case vacuum
    case foldLaundry = "fold-laundry"
    case washDishes = "wash-dishes"
    case cleanBathroom = "clean-bathroom"
    case cookMeal = "cook-meal"
    case rakeLeaves = "rake-leaves"
    case shopping

    /// The ages that the catalogue groups chores by.
    package enum Age: Int, Sendable, CaseIterable {
        case three = 3
        case five = 5
        case seven = 7
        case ten = 10

        /// The group before it; `nil` for the first.
        private var younger: Age? { Self.allCases.last { $0.rawValue < rawValue } }

        /// The chores that the set-up of a family offers: those of the group, then those of the group before it.
        package var offered: [StarterChore] {
            StarterChore.allCases.filter { $0.fromAge == self } + StarterChore.allCases.filter { $0.fromAge == younger }
        }

        /// The chores that the set-up suggests. At least one is due every day, so that one is due on the first day.
        package var suggested: Set<StarterChore> {
            switch self {
            case .three: [.tidyToys, .brushTeeth, .getDressed]
            case .five: [.makeBed, .setTable, .brushTeeth]
            case .seven: [.homework, .read, .makeBed]
            case .ten: [.emptyDishwasher, .homework, .vacuum]
            }
        }
    }

    /// When the set-up of a family plans it: the value of an RRULE property.
    package var suggestedRule: String {
        switch self {
        case .packSchoolBag, .homework: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        case .sortSocks, .vacuum, .foldLaundry, .cleanBathroom, .cookMeal, .rakeLeaves, .shopping, .sweepFloor:
            "FREQ=WEEKLY;BYDAY=SA"
        case .waterPlants, .takeOutRubbish: "FREQ=WEEKLY;BYDAY=WE,SA"
        case .tidyToys, .laundryBasket, .brushTeeth, .getDressed, .feedPet, .makeBed, .setTable, .clearTable, .tidyRoom,
            .read, .practiseMusic, .emptyDishwasher, .walkDog, .washDishes:
            "FREQ=DAILY"
        }
    }

    /// The age in years from which most children can do it with little help.
    package var fromAge: Age {
        switch self {
        case .tidyToys, .laundryBasket, .brushTeeth, .getDressed, .feedPet, .waterPlants: .three
        case .makeBed, .setTable, .clearTable, .tidyRoom, .packSchoolBag, .sortSocks: .five
        case .homework, .read, .practiseMusic, .emptyDishwasher, .sweepFloor, .takeOutRubbish, .walkDog: .seven
        case .vacuum, .foldLaundry, .washDishes, .cleanBathroom, .cookMeal, .rakeLeaves, .shopping: .ten
        }
    }

    /// `nil` if the executable lacks the picture.
    package var pictureID: ID<Picture>? { BuiltinChorePictures.named(rawValue)?.id }
}

/// A chore of the catalogue as a household sees it.
package struct OfferedChore: Sendable, Hashable {
    package let chore: StarterChore
    /// Whether a chore of the household has its picture.
    package let isAdded: Bool
}
