import Accounts
import Kernel
import Ledger
import Pictures
import Storage

/// Imports the household of a parent: chores, children, their contracts, and what is planned. Points become opening
/// balances. The history of points and purchases stays on the other server.
struct FamilyImportHandler: AccountImportHandler {
    let database: Database
    let accounts: AccountReader
    let creator: HouseholdCreator
    let childAccounts: ChildAccountService
    let ledger: Ledger
    let plans: PlanImporter
    let clock: any WallClock
    let random: any RandomSource

    func preview(_ archive: ImportArchive, for person: PersonID) async throws -> (
        entries: [ImportEntry], notes: [ImportNote]
    ) {
        let family = try await ImportedFamily(archive, now: clock.now)
        guard !family.isEmpty else { return ([], []) }
        let isProfileNeeded = try await !hasProfile(person)
        guard !isProfileNeeded || archive.hasDateOfBirth(now: clock.now) else {
            return ([], [.dateOfBirthNeeded])
        }
        let names = Dictionary(family.children.map { ($0.id, $0.profile.name ?? "") }) { first, _ in first }
        let entries = try await database.read { tx in
            let household = try HouseholdStore.member(person, in: tx)?.household
            let copies = ImportedFamilyCopies(household: household)
            var choreRoom = ImportRoom(
                limit: Limits.choresPerHousehold, count: try household.map { try ChoreStore.count(of: $0, in: tx) } ?? 0
            )
            let chores = try family.chores.map { chore in
                let isHere = try copies.chore(chore.id, in: tx) != nil
                return ImportEntry(
                    kind: .chore, name: chore.name, isHere: isHere, isExcess: !isHere && choreRoom.reserve(1) > 0)
            }
            var childRoom = ImportRoom(
                limit: Limits.childrenPerHousehold,
                count: try household.map { try HouseholdStore.count(of: $0, .child, in: tx) } ?? 0)
            var excess: Set<PersonID> = []
            let children = try family.children.map { child in
                let isHere = try copies.child(child.id, in: tx) != nil
                if !isHere, childRoom.reserve(1) > 0 { excess.insert(child.id) }
                return ImportEntry(
                    kind: .child, name: child.profile.name ?? "", count: Int(child.points),
                    hereCount: isHere ? Int(child.points) : 0, isHere: isHere, isExcess: excess.contains(child.id))
            }
            let contracts = try family.contracts.map { contract in
                let isHere = try copies.contract(contract.id, in: tx) != nil
                return ImportEntry(
                    kind: .contract, name: names[contract.child] ?? "", count: Int(contract.points),
                    hereCount: isHere ? Int(contract.points) : 0, isHere: isHere,
                    isExcess: excess.contains(contract.child))
            }
            return try chores + children + contracts
                + plans.entries(
                    of: family.plans, names: names, excess: excess,
                    excessChores: Set(zip(family.chores, chores).filter { $1.isExcess }.map(\.0.id)), copies, in: tx)
        }
        let pictures = family.chores.map(\.pictureID) + family.children.compactMap(\.pictureID)
        let isMissing = pictures.contains { id in
            !BuiltinPictures.contains(id) && !archive.contains("pictures/\(id).jpg")
        }
        return (entries, (isProfileNeeded ? [.profileNeeded] : []) + (isMissing ? [.builtInPictures] : []))
    }

    func perform(_ run: ImportRun) async throws {
        // Only what the person has seen in the preview.
        let entries = run.preview.entries.filter(\.kind.isFamily)
        guard !entries.isEmpty else { return }
        // The person may have left out the profile, which has the date of birth.
        guard try await hasProfile(run.person) else {
            for _ in entries { try await run.step { tx, _ in try run.refuse(in: tx) } }
            return
        }
        try await creator.createIfMissing(forAdult: run.person)
        let family = try await ImportedFamily(run.archive, now: clock.now)
        for chore in family.chores {
            try await run.step { tx, now in try add(chore, run, now: now, in: tx) }
        }
        for child in family.children {
            try await run.step { tx, now in
                try add(child, streak: family.plans.streaks[child.id], run, now: now, in: tx)
            }
        }
        for contract in family.contracts {
            try await run.step { tx, now in try add(contract, run, now: now, in: tx) }
        }
        try await perform(family.plans, kinds: Set(entries.map(\.kind)), run)
    }

    /// - Parameter kinds: those of the preview. An archive that was checked by an earlier version has none of these.
    private func perform(_ family: ImportedPlans, kinds: Set<ImportEntry.Kind>, _ run: ImportRun) async throws {
        for pause in family.pauses where kinds.contains(.pause) {
            try await run.step { tx, now in
                let (_, copies) = try lock(run.person, in: tx)
                try plans.add(pause, run, copies, now: now, in: tx)
            }
        }
        for schedule in family.schedules where kinds.contains(.schedule) {
            try await run.step { tx, now in
                let (_, copies) = try lock(run.person, in: tx)
                try plans.add(schedule, run, copies, now: now, in: tx)
            }
        }
        for reward in family.rewards where kinds.contains(.reward) {
            try await run.step { tx, now in
                let (_, copies) = try lock(run.person, in: tx)
                try plans.add(reward, run, copies, now: now, in: tx)
            }
        }
        for wish in family.wishes where kinds.contains(.wish) {
            try await run.step { tx, now in
                let (_, copies) = try lock(run.person, in: tx)
                try plans.add(wish, run, copies, now: now, in: tx)
            }
        }
    }

    private func hasProfile(_ person: PersonID) async throws -> Bool {
        try await database.read { tx in
            try accounts.accounts([person], in: tx)[person].map { AppName.family.missing(in: $0).isEmpty } ?? false
        }
    }

    /// Locks the person's household and returns the copies in it.
    private func lock(_ person: PersonID, in tx: Transaction) throws -> (ID<Household>, ImportedFamilyCopies) {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent,
            try HouseholdStore.lock(member.household, in: tx),
            // The person may have moved to another household while this transaction waited for the lock.
            try HouseholdStore.member(person, in: tx) == member
        else { throw AppError(.unavailable, .movedOn) }
        return (member.household, ImportedFamilyCopies(household: member.household))
    }

    // MARK: Records

    private func add(
        _ chore: ImportedFamily.Chore, _ run: ImportRun, now: Instant, in tx: Transaction
    ) throws {
        let person = run.person
        let (household, copies) = try lock(person, in: tx)
        guard try copies.chore(chore.id, in: tx) == nil else { return }
        guard try ChoreStore.count(of: household, in: tx) < Limits.choresPerHousehold else {
            return try run.refuse(in: tx)
        }
        let id = ID<Chore>(at: now, random: random)
        let own = try ImportedPictures.copy(of: chore.pictureID, by: person, in: tx)
        guard let picture = own ?? BuiltinAvatars.one(for: id.cast(to: Person.self))?.id else {
            throw AppError(.conflict, .choreLacksPicture)
        }
        try PictureLibrary.requireOwned(picture, by: person, in: tx)
        let added = Chore(
            id: id, name: chore.name, pictureID: picture, version: 1, createdAt: now, steps: chore.steps,
            needsPhoto: chore.needsPhoto)
        try ChoreStore.insert(added, household: household, in: tx)
        if let automatic = chore.automatic { try ChoreStore.setAutomatic(automatic, by: person, of: id, in: tx) }
        try ImportRecords.insert(id, of: chore.id, kind: ImportedFamily.Chore.kind, by: person, in: tx)
        try FamilyEvents.publish("chore", FamilyEvents.chore(id), version: 1, of: household, now: now, in: tx)
    }

    private func add(
        _ child: ImportedFamily.Child, streak: Streak?, _ run: ImportRun, now: Instant, in tx: Transaction
    ) throws {
        let person = run.person
        let (household, copies) = try lock(person, in: tx)
        guard try copies.child(child.id, in: tx) == nil else { return }
        guard try HouseholdStore.count(of: household, .child, in: tx) < Limits.childrenPerHousehold else {
            return try run.refuse(in: tx)
        }
        let id = PersonID(at: now, random: random)
        var profile = child.profile
        profile.avatarPictureID = try child.pictureID.flatMap { try ImportedPictures.copy(of: $0, by: person, in: tx) }
        let checked = try ValidatedChildProfile(profile, now: now)
        _ = try childAccounts.create(checked, id: id, by: person, now: now, in: tx)
        let member = StoredMember(person: id, household: household, role: .child, deletedAt: nil)
        _ = try HouseholdStore.insert(member, now: now, in: tx)
        try ledger.open(
            FamilyLedgerAccounts.given(household), unit: FamilyLedgerAccounts.unit, mayOverdraw: true, now: now,
            in: tx)
        try open(FamilyLedgerAccounts.achievement(id), with: child.points, of: id, household, now: now, in: tx)
        try spend(child.spentPoints, of: id, now: now, in: tx)
        if let streak {
            let copy = Streak(childID: id, days: streak.days, bestDays: streak.bestDays, freezes: streak.freezes)
            try StreakStore.save(StoredStreak(streak: copy), in: tx)
        }
        try ImportRecords.insert(id, of: child.id, kind: ImportedFamily.Child.kind, by: person, in: tx)
        try FamilyEvents.publish("child", FamilyEvents.child(id), version: 1, of: household, now: now, in: tx)
    }

    private func add(
        _ contract: ImportedFamily.Contract, _ run: ImportRun, now: Instant, in tx: Transaction
    ) throws {
        let person = run.person
        let (household, copies) = try lock(person, in: tx)
        guard try copies.contract(contract.id, in: tx) == nil else { return }
        guard let child = try copies.child(contract.child, in: tx) else { return try run.refuse(in: tx) }
        let isPresent = try ContractStore.present(of: [child], in: tx).isEmpty && contract.endedAt == nil
        let id = ID<Contract>(at: contract.createdAt, random: random)
        try ContractStore.insert(
            contract.draft, id: id, child: child, now: contract.createdAt,
            endedAt: isPresent ? nil : contract.endedAt ?? now, in: tx)
        for (index, level) in contract.levels.enumerated() {
            if let at = level.reachedAt { try ContractStore.setReached([index + 1], of: id, now: at, in: tx) }
            if let at = level.handedOverAt { try ContractStore.setHandedOver(at, level: index + 1, of: id, in: tx) }
        }
        try open(FamilyLedgerAccounts.contract(id), with: contract.points, of: child, household, now: now, in: tx)
        try ImportRecords.insert(id, of: contract.id, kind: ImportedFamily.Contract.kind, by: person, in: tx)
        try FamilyEvents.publish(
            "contract", FamilyEvents.child(child), version: 1, of: household, now: now, in: tx)
    }

    /// Spends what the child had spent on the other server, so that no point comes back.
    private func spend(_ points: Int64, of child: PersonID, now: Instant, in tx: Transaction) throws {
        guard points > 0 else { return }
        let spent = FamilyLedgerAccounts.spent(child)
        try ledger.open(spent, unit: FamilyLedgerAccounts.unit, now: now, in: tx)
        try ledger.post(
            Transfer(
                id: ID(at: now, random: random), kind: "opening-balance", subject: child.description, at: now,
                amount: points, from: FamilyLedgerAccounts.achievement(child), to: spent),
            in: tx)
    }

    /// Opens an account with the points of the other server as its opening balance.
    private func open(
        _ account: LedgerAccountKey, with points: Int64, of child: PersonID, _ household: ID<Household>, now: Instant,
        in tx: Transaction
    ) throws {
        try ledger.open(account, unit: FamilyLedgerAccounts.unit, now: now, in: tx)
        guard points > 0 else { return }
        try ledger.post(
            Transfer(
                id: ID(at: now, random: random), kind: "opening-balance", subject: child.description, at: now,
                amount: points, from: FamilyLedgerAccounts.given(household), to: account),
            in: tx)
    }
}
