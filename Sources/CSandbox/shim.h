// What a process gives up before it touches bytes from strangers. prctl and seccomp are variadic calls and macros,
// which Swift does not import; nothing else belongs here.
#ifndef HOMEWARD_SANDBOX_H
#define HOMEWARD_SANDBOX_H

#if defined(__linux__)

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Neither this process nor its children can gain rights by executing a set-user-id file. 0, or -1 with errno.
static inline int homeward_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

#if defined(__x86_64__)
#define HOMEWARD_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define HOMEWARD_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef HOMEWARD_AUDIT_ARCH

// Its name is missing in older headers; the number is the same everywhere.
#define HOMEWARD_CLONE3 435
// CLONE_THREAD of <linux/sched.h>, which <sched.h> hides.
#define HOMEWARD_CLONE_THREAD 0x00010000

#define HOMEWARD_ALLOW(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// From here on all threads may only compute, use memory, and read and write what is open already: no file, socket,
// program, process or signal. Anything else fails with EPERM. 0, or -1 with errno (EINVAL, ENOSYS: not in this kernel).
static inline int homeward_allow_only_computing(void) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HOMEWARD_AUDIT_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        HOMEWARD_ALLOW(read),
        HOMEWARD_ALLOW(write),
        HOMEWARD_ALLOW(close),
        HOMEWARD_ALLOW(mmap),
        HOMEWARD_ALLOW(munmap),
        HOMEWARD_ALLOW(mremap),
        HOMEWARD_ALLOW(mprotect),
        HOMEWARD_ALLOW(madvise),
        HOMEWARD_ALLOW(brk),
        HOMEWARD_ALLOW(futex),
        HOMEWARD_ALLOW(set_robust_list),
#ifdef __NR_rseq
        HOMEWARD_ALLOW(rseq),
#endif
        HOMEWARD_ALLOW(sched_yield),
        HOMEWARD_ALLOW(sched_getaffinity),
        HOMEWARD_ALLOW(rt_sigprocmask),
        HOMEWARD_ALLOW(rt_sigaction),
        HOMEWARD_ALLOW(rt_sigreturn),
        HOMEWARD_ALLOW(sigaltstack),
        HOMEWARD_ALLOW(getpid),
        HOMEWARD_ALLOW(gettid),
        HOMEWARD_ALLOW(clock_gettime),
        HOMEWARD_ALLOW(clock_nanosleep),
        HOMEWARD_ALLOW(getrandom),
        HOMEWARD_ALLOW(exit),
        HOMEWARD_ALLOW(exit_group),
        // The flags of clone3 lie in memory, where a filter can't look: ENOSYS makes the C library use clone.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HOMEWARD_CLONE3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        // Decoders may start threads, not processes.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, HOMEWARD_CLONE_THREAD, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

// Whether homeward_allow_only_computing works with this kernel: only one that has the feature looks for the rules, which
// are missing here. Changes nothing.
static inline int homeward_can_allow_only_computing(void) {
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, NULL) == -1 && errno == EFAULT;
}

#else

static inline int homeward_allow_only_computing(void) {
    errno = ENOSYS;
    return -1;
}

static inline int homeward_can_allow_only_computing(void) { return 0; }

#endif
#endif
#endif
