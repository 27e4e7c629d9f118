import Carrepsa
import Kernel
import Pictures

/// The URL paths of Carrepsa.
enum CarrepsaPath {
    static let root = "/carrepsa"
    static let packages = "/carrepsa/packages"
    static let mine = "/carrepsa/packages?role=owner"
    static let deliveries = "/carrepsa/packages?role=carrier"
    static let past = "&past=true"
    static let newPackage = "/carrepsa/packages/new"
    static let profile = "/carrepsa/profile"
    static let wallet = "/carrepsa/wallet"
    static let entries = "/carrepsa/wallet/entries"
    static let priceSuggestions = "/carrepsa/price-suggestions"
    static let placeSearches = "/carrepsa/place-searches"
    static let trips = "/carrepsa/trips"
    static let newTrip = "/carrepsa/trips/new"
    static let money = "/carrepsa/money"
    static let payoutRequests = "/carrepsa/payout-requests"
    static let disputes = "/carrepsa/disputes"
    static let decidedDisputes = "/carrepsa/disputes?past=true"
    static let blocks = "/carrepsa/blocks"
    static let messageReports = "/carrepsa/message-reports"
    static let ledger = "/carrepsa/ledger"

    static func package(_ id: ID<Package>) -> String { "\(packages)/\(id)" }
    /// A package's page whose back link leads to the wallet.
    static func packageFromWallet(_ id: ID<Package>) -> String { "\(package(id))?from=wallet" }
    static func trip(_ id: ID<Trip>) -> String { "\(trips)/\(id)" }
    static func editTrip(_ id: ID<Trip>) -> String { "\(trip(id))/edit" }
    static func recipient(_ id: ID<Package>) -> String { "\(package(id))/recipient" }
    /// The recipient's page, without authentication.
    static func delivery(_ secret: String) -> String { "/deliveries/\(PercentEncoding.encoded(secret))" }
    static func payoutRequest(_ id: ID<PayoutRequest>) -> String { "\(payoutRequests)/\(id)" }
    static func messages(_ id: ID<Package>) -> String { "\(package(id))/messages" }
    static func messageReport(_ id: ID<PackageMessage>, about package: ID<Package>) -> String {
        "\(messages(package))/\(id)/report"
    }
    static func messageReport(_ id: ID<MessageReport>) -> String { "\(messageReports)/\(id)" }
    static func block(_ id: PersonID) -> String { "\(person(id))/block" }
    static func person(_ id: PersonID) -> String { "/carrepsa/people/\(id)" }
    /// - Parameter version: the package's version that the reader saw, as the form has it.
    static func question(_ id: ID<Package>, _ action: PackageAction, version: String) -> String {
        let path = "\(package(id))/questions/\(action.rawValue)"
        return version.isEmpty ? path : "\(path)?version=\(PercentEncoding.encoded(version))"
    }

    static func picture(_ id: ID<Picture>, size: PictureSize) -> String { "/pictures/\(id)?size=\(size.rawValue)" }
}
