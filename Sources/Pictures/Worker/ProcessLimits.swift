import CSandbox
import Foundation
import Kernel

/// The irrevocable restrictions that the worker applies to itself before it reads a picture.
enum ProcessLimits {
    /// A failed restriction, with the operating system's error number.
    struct Failure: Error, Equatable {
        let step: String
        let code: Int32
    }

    // The three standard streams are open; the worker opens no other file.
    private static let openFiles: rlim_t = 3

    /// Limits memory, processor time and files. Forbids every system call that computing doesn't need.
    static func apply() throws(Failure) {
        try limit("memory", RLIMIT_AS, rlim_t(Limits.pictureMemoryBytes))
        try limit("processor time", RLIMIT_CPU, rlim_t(Limits.pictureSeconds))
        try limit("core dump", RLIMIT_CORE, 0)
        try limit("file size", RLIMIT_FSIZE, 0)
        try limit("open files", RLIMIT_NOFILE, openFiles)
        guard homeward_forbid_new_privileges() == 0 else { throw Failure(step: "privileges", code: errno) }
        guard homeward_allow_only_computing() == 0 else {
            // Some kernels lack this feature; the other limits still apply.
            if errno == ENOSYS || errno == EINVAL { return }
            throw Failure(step: "system calls", code: errno)
        }
    }

    /// Lowers a limit; keeps a lower one.
    private static func limit(
        _ step: String, _ resource: __rlimit_resource, _ value: rlim_t
    ) throws(Failure) {
        let resource = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw Failure(step: step, code: errno) }
        let lowest = min(value, limit.rlim_max)
        limit = rlimit(rlim_cur: lowest, rlim_max: lowest)
        guard setrlimit(resource, &limit) == 0 else { throw Failure(step: step, code: errno) }
    }
}
