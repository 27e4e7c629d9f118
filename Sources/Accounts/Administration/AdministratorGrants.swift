import Kernel
import Storage

/// What an administrator gave others, and what ends with the rights or the access of that administrator.
enum AdministratorGrants {
    /// Revokes open invitations to the server and links for others' new passwords.
    static func revoke(of administrator: PersonID, in tx: Transaction) throws {
        try ServerInvitationStore.deleteAll(of: administrator, in: tx)
        try CodeStore.removeResets(createdBy: administrator, in: tx)
    }
}
