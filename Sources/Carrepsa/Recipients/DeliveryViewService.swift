import Accounts
import Kernel
import Storage

/// `/deliveries/{secret}`: what the recipient of a package sees and does, without an account.
package struct DeliveryViewService: Sendable {
    let database: Database
    let commands: PackageCommandExecutor
    let deadlines: PackageDeadlines
    let link: RecipientLink
    let clock: any WallClock
    let random: any RandomSource

    private let changes = Throttle(
        scope: "delivery-page", limit: Limits.recipientChanges, windowSeconds: Limits.recipientChangeSeconds)

    init(
        database: Database, commands: PackageCommandExecutor, deadlines: PackageDeadlines, link: RecipientLink,
        clock: any WallClock, random: any RandomSource
    ) {
        self.database = database
        self.commands = commands
        self.deadlines = deadlines
        self.link = link
        self.clock = clock
        self.random = random
    }

    private var lookup: SecretLookup { SecretLookup(scope: "delivery-secret", database: database, clock: clock) }

    /// Returns what the page shows.
    /// - Parameter mark: the ``DeliveryView/pageMark`` of an open page that asks again. If its link ended, the request
    ///   doesn't count for the client's network.
    /// - Throws: `AppError`: `notFound` for a link that is unknown, revoked or expired; `throttled` after too many of
    ///   these from the client's network.
    package func view(_ secret: String, clientAddress: String, mark: String? = nil) async throws -> DeliveryView {
        try await found(secret, clientAddress: clientAddress, mark: mark).view
    }

    /// Says where to leave the package; blank text says nothing. Owner and carrier are notified, unless the text is
    /// the present one.
    /// - Throws: the errors of ``view(_:clientAddress:)``; `conflict` if no carrier has accepted the package, after its
    ///   end, or after ``Limits/recipientInstructions``; `invalid` at `leaveAt`; `throttled` after
    ///   ``Limits/recipientChanges``.
    package func instruct(_ typed: String?, _ secret: String, clientAddress: String) async throws -> DeliveryView {
        let text = try RecipientText.validated(typed, "leaveAt")
        let present = try await found(secret, clientAddress: clientAddress)
        if present.view.canInstruct, present.view.recipient.leaveAt == text { return present.view }
        return try await perform(.instruct, on: present.package, secret) { package, now, tx in
            let number = try PackageHistoryStore.count(
                .instruct, of: package.id, since: package.acceptedAt ?? package.createdAt, in: tx)
            guard number <= Limits.recipientInstructions else { throw AppError(.conflict, .instructionsUsedUp) }
            try RecipientStore.setLeaveAt(text, of: package.id, now: now, in: tx)
        }
    }

    /// Refuses the package. Owner and carrier are notified, and no money moves.
    /// - Throws: the errors of ``instruct(_:_:clientAddress:)``; `conflict` if it was refused.
    package func refuse(_ secret: String, clientAddress: String) async throws -> DeliveryView {
        let present = try await found(secret, clientAddress: clientAddress)
        return try await perform(.refuse, on: present.package, secret) { _, _, _ in }
    }

    private func perform(
        _ action: PackageAction, on id: ID<Package>, _ secret: String,
        _ body: @escaping @Sendable (StoredPackage, Instant, Transaction) throws -> Void
    ) async throws -> DeliveryView {
        let command = PackageCommand(action, on: id, by: .recipient, now: clock.now, random: random)
        try await database.write { [changes] tx in
            try changes.check(id.description, now: command.now, in: tx)
            try changes.fail(id.description, now: command.now, in: tx)
        }
        return try await commands.execute(command, status: 200, scope: nil) { [self] named, tx in
            try body(named.stored, command.now, tx)
            // Revoked between the two transactions: nothing is stored.
            guard let view = try view(of: named, secret, hash: Token.hash(secret), in: tx) else {
                throw AppError.notFound
            }
            return view
        }
    }

    private func found(
        _ secret: String, clientAddress: String, mark: String? = nil
    ) async throws -> (package: ID<Package>, view: DeliveryView) {
        let now = clock.now
        let isKnown = mark.map { link.isPageMark($0, of: secret) } ?? false
        return try await lookup.find(secret, clientAddress: clientAddress, isKnown: isKnown) { [self] hash, tx in
            guard let id = try RecipientStore.package(ofHash: hash, now: now, in: tx),
                let named = try PackageList.find(id, in: tx),
                let view = try view(of: named, secret, hash: hash, in: tx)
            else { return nil }
            return (id, view)
        }
    }

    private func view(
        of named: NamedPackage, _ secret: String, hash: [UInt8], in tx: Transaction
    ) throws -> DeliveryView? {
        let package = named.stored
        guard let linked = try RecipientStore.linked(of: package.id, in: tx), linked.hash == hash else { return nil }
        return DeliveryView(
            title: package.title, from: package.from, to: package.to, state: package.state,
            ownerName: named.owner.name.flatMap(Self.firstName),
            carrierName: named.carrier?.name.flatMap(Self.firstName),
            recipient: linked.recipient, isReported: package.deliveryReportedAt != nil,
            isRefused: package.refusedAt != nil,
            code: package.state == .travelling ? link.code(of: package.id, hash: hash) : nil,
            canRefuse: package.state.isUnderWay && package.refusedAt == nil, canInstruct: package.state.isUnderWay,
            pageMark: link.pageMark(of: secret))
    }

    private static func firstName(_ name: String) -> String? {
        name.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
