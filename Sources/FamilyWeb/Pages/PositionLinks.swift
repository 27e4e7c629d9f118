package import Accounts
package import Kernel
import WebCore

/// What Family's pages show of positions that people share: Family doesn't know Tracking.
package struct PositionLinks: Sendable {
    /// Whether a person shares their position with the reader.
    let isShared: @Sendable (PersonID, Actor) async throws -> Bool
    /// The names of the people who ask the reader to share their position.
    let askers: @Sendable (Actor) async throws -> [String]

    package init(
        isShared: @escaping @Sendable (PersonID, Actor) async throws -> Bool,
        askers: @escaping @Sendable (Actor) async throws -> [String]
    ) {
        self.isShared = isShared
        self.askers = askers
    }
}

/// A card on a child's dashboard: people ask where the child is.
struct PositionAskCard: Sendable {
    let askTitle: String
    let askURL: String

    /// - Returns: `nil` without a request.
    init?(_ names: [String], _ t: Translator) {
        guard let name = names.first else { return nil }
        askTitle =
            names.count == 1
            ? t("{name} asks where you are", ["name": name])
            : t("{n} person asks where you are", plural: "{n} people ask where you are", count: names.count)
        askURL = FamilyPath.myPosition
    }
}

/// The link to a child's position, for a parent with whom the child shares it.
struct PositionLink: Sendable {
    let positionTitle: String
    let positionURL: String

    init(of child: PersonID, name: String, _ t: Translator) {
        positionTitle = t("Where is {name}?", ["name": name])
        positionURL = FamilyPath.position(of: child)
    }
}
