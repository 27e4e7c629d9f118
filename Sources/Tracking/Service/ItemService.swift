package import Accounts
package import Kernel
import Pictures
import Storage

/// Items: the list, one item, adding and changing.
package struct ItemService: Sendable {
    let database: Database
    let overviews: ItemOverviewReader
    let polls: PollScheduler
    let addresses: AddressService
    let alerts: AlertService
    let clock: any WallClock
    let random: any RandomSource

    // MARK: Reading

    /// Returns a page of the actor's items with all data of the list, in the order of their creation.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func page(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<ItemOverview> {
        let request = try PageRequest<ID<Item>>(after: after, limit: limit)
        let now = clock.now
        let items = try await database.read { [overviews] tx in
            try overviews.page(for: actor, after: request.after, limit: request.rows, now: now, in: tx)
        }
        return request.page(items, \.item.id)
    }

    /// Returns a page of the actor's items for the list page: lost items first, then in `order`.
    /// - Parameters:
    ///   - search: A part of the name; `nil` or a blank text matches every item.
    ///   - after: The item before the page; an item that is no longer in the list starts the list again.
    ///   - added: A new item, to which the page offers a tracker; `nil` for none.
    ///   - mayOfferPasscode: Whether the page has room for the offer of a passcode.
    ///   - mayAsk: Whether the page has room for the question about the alert mode.
    /// - Throws: `AppError.invalid` at `after` for a text that isn't a cursor.
    package func list(
        for actor: Actor, order: ItemOrder, search: String?, after: String?, limit: Int, added: ID<Item>? = nil,
        mayOfferPasscode: Bool = false, mayAsk: Bool = false
    ) async throws -> ItemList {
        let request = try PageRequest<ID<Item>>(after: after, limit: limit)
        let now = clock.now
        let (all, offersPasscode, asksForAlertMode) = try await database.read { [overviews, alerts] tx in
            (
                try overviews.page(for: actor, after: nil, limit: Limits.itemsPerList, now: now, in: tx),
                try mayOfferPasscode && PasscodeOfferRule.offersPasscode(to: actor, in: tx),
                try mayAsk && alerts.offer(for: actor.person, in: tx) == .firstChoice
            )
        }
        let wanted = search.map(SearchText.init)
        let found = order.sorted(
            wanted.map { text in all.filter { text.isFound(in: SearchText($0.item.name)) } } ?? all)
        let start = request.after.flatMap { id in found.firstIndex { $0.item.id == id } }.map { $0 + 1 } ?? 0
        let end = min(start + request.limit, found.count)
        let items = try await addresses.resolve(Array(found[start..<end]))
        return ItemList(
            items: items, total: all.count, after: start > 0 ? request.after?.description : nil,
            next: end < found.count ? items.last?.item.id.description : nil,
            added: added.flatMap { id in all.first { $0.item.id == id } }, offersPasscode: offersPasscode,
            asksForAlertMode: asksForAlertMode)
    }

    /// Returns the actor's own items, in the order of their creation.
    package func owned(by actor: Actor) async throws -> [ItemOverview] {
        let now = clock.now
        return try await database.read { [overviews] tx in
            try overviews.page(for: actor, after: nil, limit: Limits.itemsPerList, now: now, in: tx)
                .filter { $0.access == .own }
        }
    }

    /// Returns one item with all data of its details page.
    /// - Parameter required: The access that the actor needs.
    /// - Throws: `AppError`: `notFound`; `forbidden` when the actor has less access.
    package func item(
        _ id: ID<Item>, for actor: Actor, requires required: ItemAccess = .see
    ) async throws -> ItemOverview {
        let now = clock.now
        return try await database.read { [overviews] tx in
            try overviews.item(id, for: actor, requires: required, now: now, in: tx)
        }
    }

    // MARK: Changes

    /// Adds an item.
    /// - Throws: `AppError`: `invalid` at `name` and `pictureId`; `conflict` when the account already has
    ///   `Limits.itemsPerAccount` items.
    package func create(_ input: ItemInput, by change: Change) async throws -> ItemOverview {
        let now = clock.now
        let owner = change.actor.person
        let id = ID<Item>(at: now, random: random)
        let once = try await database.write { tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                var problems = FieldErrors<TrackingErrorMessage>()
                let name = problems.name(input.name)
                if let picture = input.pictureID {
                    try problems.collect { try PictureLibrary.requireOwned(picture, by: owner, in: tx) }
                }
                try problems.finish()
                guard try ItemStore.count(of: owner, in: tx) < Limits.itemsPerAccount else {
                    throw AppError(.conflict, .tooManyItems)
                }
                let settings = try ItemDefaultsStore.defaults(of: owner, in: tx).settings
                let item = Item(
                    id: id, owner: owner, name: name ?? "", pictureID: input.pictureID, settings: settings, version: 1,
                    createdAt: now
                )
                try ItemStore.insert(item, in: tx)
                try TrackingEvents.publishItem(item, now: now, in: tx)
            }
        }
        guard let created = ID<Item>(once.resource) else { throw AppError.notFound }
        return try await item(created, for: change.actor)
    }

    /// Changes name, picture and settings, in one transaction.
    /// - Parameter ifVersion: The version on which the change is based; `nil` skips the check.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a person with whom it is shared; `conflict` when the
    ///   item's version isn't `ifVersion`; `invalid` at `name`,
    ///   `pictureId`, `settings.lostMetres`, …
    package func update(
        _ id: ID<Item>, _ patch: ItemPatch, ifVersion: Int64?, by change: Change
    ) async throws -> ItemOverview {
        let now = clock.now
        let person = change.actor.person
        _ = try await database.write { [polls] tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let tracker = patch.settings == .unchanged ? nil : try TrackerStore.lock(item: id, in: tx)
                let item = try ItemStore.lock(id, of: person, requires: .own, in: tx)
                if let ifVersion, ifVersion != item.version { throw AppError(.conflict, .movedOn) }
                let changed = try patch.applied(to: item, in: tx)
                if changed != item {
                    try ItemStore.update(changed, in: tx)
                    if let tracker, changed.settings.locateMinutes != item.settings.locateMinutes {
                        try polls.reschedule(
                            tracker, locateMinutes: changed.settings.locateMinutes, now: now, in: tx)
                    }
                    try TrackingEvents.publishItem(changed, now: now, in: tx)
                }
            }
        }
        return try await item(id, for: change.actor)
    }
}

extension ItemPatch {
    /// Returns the changed item; its version is incremented only if a value changes.
    fileprivate func applied(to item: Item, in tx: Transaction) throws -> Item {
        var problems = FieldErrors<TrackingErrorMessage>()
        var name = item.name
        switch self.name {
        case .unchanged: break
        case .clear: problems.refuse("name", .nameMissing)
        case .set(let typed): name = problems.name(typed) ?? name
        }
        var pictureID = item.pictureID
        switch self.pictureID {
        case .unchanged: break
        case .clear: pictureID = nil
        case .set(let picture):
            try problems.collect { try PictureLibrary.requireOwned(picture, by: item.owner, in: tx) }
            pictureID = picture
        }
        var settings = item.settings
        switch self.settings {
        case .unchanged: break
        case .clear: settings = try ItemDefaultsStore.defaults(of: item.owner, in: tx).settings
        case .set(let settingsPatch):
            let defaults = try ItemDefaultsStore.defaults(of: item.owner, in: tx).settings
            settings = SettingsRule.apply(settingsPatch, to: settings, defaults: defaults, problems: &problems)
        }
        try problems.finish()
        let isSame = name == item.name && pictureID == item.pictureID && settings == item.settings
        return item.with(
            name: name, pictureID: pictureID, settings: settings, version: isSame ? item.version : item.version + 1
        )
    }
}
