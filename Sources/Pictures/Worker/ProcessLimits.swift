import CSandbox
import Foundation
import Kernel

/// What the decoding process gives up before it reads the first byte of a picture. There is no way back.
enum ProcessLimits {
    /// A right that could not be given up, with the operating system's error number.
    struct Failure: Error, Equatable {
        let step: String
        let code: Int32
    }

    // The three standard streams are open already, and nothing else will be.
    private static let openFiles: rlim_t = 3

    /// Limits memory, processor time and files, and forbids every system call that isn't needed to compute.
    static func apply() throws(Failure) {
        try limit("memory", RLIMIT_AS, rlim_t(Limits.pictureMemoryBytes))
        try limit("processor time", RLIMIT_CPU, rlim_t(Limits.pictureSeconds))
        try limit("core dump", RLIMIT_CORE, 0)
        try limit("file size", RLIMIT_FSIZE, 0)
        try limit("open files", RLIMIT_NOFILE, openFiles)
        guard homeward_forbid_new_privileges() == 0 else { throw Failure(step: "privileges", code: errno) }
        guard homeward_allow_only_computing() == 0 else {
            // Kernels may be built without this; the other limits hold nevertheless.
            if errno == ENOSYS || errno == EINVAL { return }
            throw Failure(step: "system calls", code: errno)
        }
    }

    /// Lowers a limit; one that is lower already stays.
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
