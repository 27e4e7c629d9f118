import CSandbox

/// The restrictions of the process that decodes pictures, as far as they depend on the computer.
package enum PictureSandbox: String, Sendable {
    /// The process can only compute.
    case complete
    /// The kernel or the processor has no filter of system calls (seccomp): only memory, time and files are limited.
    case withoutSeccomp

    /// The restrictions that are possible on this computer.
    package static var current: PictureSandbox {
        homeward_can_allow_only_computing() == 1 ? .complete : .withoutSeccomp
    }
}
