import Accounts
import Kernel
import Storage

/// An app of a test: what the test isn't about does nothing.
protocol TestDataHandler: AccountDataHandler {}

extension TestDataHandler {
    func attachments(of person: PersonID) async throws -> [ExportAttachment] { [] }
    func checkErasure(of person: PersonID, in tx: Transaction) throws {}
    func revokeGrants(of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction) throws {}
    func afterErasure() async throws {}
}
