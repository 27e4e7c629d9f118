import Kernel

extension DeliveryLifeCycle {
    /// Returns the error for an action without a transition.
    static func error(of action: PackageAction, to role: PackageRole, on package: StoredPackage) -> AppError {
        switch (action, role) {
        case (.accept, .owner): return AppError(.forbidden, .ownPackage)
        case (.accept, _): return AppError(.conflict, .notAvailable)
        case (_, .operator): return AppError(.conflict, .notInDispute)
        default: break
        }
        guard package.isVisible(to: role, isOperator: false) else { return .notFound }
        return isPossible(action, in: package.state)
            ? AppError(.forbidden, .roleMayNot) : AppError(.conflict, .stateMovedOn)
    }
}
