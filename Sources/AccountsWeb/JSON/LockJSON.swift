import Accounts

/// The state of the lock in the API.
struct LockJSON: Encodable {
    let locked: Bool
    let passcodeSet: Bool
    let passkeySet: Bool
    let retryAfterSeconds: Int

    init(_ status: LockStatus) {
        locked = status.isLocked
        passcodeSet = status.isPasscodeSet
        passkeySet = status.touchID == true
        retryAfterSeconds = status.retryAfterSeconds
    }
}
