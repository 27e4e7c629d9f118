import Kernel
import Logging
import Storage
import TrackerProtocol

/// Applies trackers' acknowledgements to their commands, inside a transaction.
struct AcknowledgementRecorder: Sendable {
    let logger: Logger

    /// Applies acknowledgements to the commands.
    /// - Parameter follows: True when the message has no phase: a confirmed switch then sets the tracker's state.
    /// - Returns: Whether at least one of the commands was still open.
    func record(
        _ acknowledgements: [Acknowledgement], of tracker: inout StoredTracker, follows: Bool = false, now: Instant,
        in tx: Transaction
    ) throws -> Bool {
        var isFinished = false
        for acknowledgement in acknowledgements {
            let id = acknowledgement.id.cast(to: Command.self)
            let state = acknowledgement.result.commandState
            guard let command = try CommandStore.finish(id, of: .tracker(tracker), as: state, in: tx) else {
                // A late confirmation still counts.
                if follows, state == .applied, let kind = try CommandStore.expiredSwitch(id, of: tracker, in: tx) {
                    if let state = kind.appliedState { tracker.confirm(state, now: now) }
                }
                continue
            }
            isFinished = true
            if follows, state == .applied, let state = command.kind.appliedState { tracker.confirm(state, now: now) }
            if state == .failed {
                let reason = acknowledgement.reason ?? ""
                logger.info("a tracker refused a command", metadata: ["command": "\(id)", "reason": "\(reason)"])
            }
            guard command.kind.isSwitch else { continue }
            switch state {
            case .applied: tracker.settle()
            case .failed, .expired: tracker.giveUp(now: now)
            case .queued, .sent, .superseded: break
            }
        }
        return isFinished
    }

    /// Deletes a tracker that confirms its release; it registers again with a new key and code.
    /// - Returns: Whether the tracker was deleted.
    func confirmRelease(
        of tracker: StoredTracker, by acknowledgements: [Acknowledgement], in tx: Transaction
    ) throws -> Bool {
        guard tracker.state == .releasing else { return false }
        for acknowledgement in acknowledgements where acknowledgement.result == .applied {
            let id = acknowledgement.id.cast(to: Command.self)
            guard try CommandStore.finish(id, of: .tracker(tracker), as: .applied, in: tx) != nil else { continue }
            try TrackerStore.delete(tracker.id, in: tx)
            logger.info("a tracker confirmed its release", metadata: ["tracker": "\(tracker.id)"])
            return true
        }
        return false
    }
}

extension CommandKind {
    /// The tracker's state after it has carried out the command.
    fileprivate var appliedState: StoredTracker.State? {
        switch self {
        case .activate, .on: .active
        case .off: .off
        case .locate, .ring, .release: nil
        }
    }
}

extension TrackerCommandResult {
    fileprivate var commandState: CommandState {
        switch self {
        case .applied: .applied
        case .expired: .expired
        case .superseded: .superseded
        case .failed: .failed
        }
    }
}
