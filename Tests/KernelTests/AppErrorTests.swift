import Kernel
import Testing

@Suite("Errors")
struct AppErrorTests {
    @Test("The codes are exactly those that clients know")
    func codes() {
        let codes = Set(AppError.Code.allCases.map(\.rawValue))
        #expect(
            codes == [
                "malformed", "invalid", "unauthenticated", "forbidden", "not_found", "conflict", "insufficient_funds",
                "reward_not_funded", "too_large", "locked", "throttled", "internal", "unavailable",
            ]
        )
    }

    @Test("An invalid value has its message at its field")
    func field() {
        let error = AppError.invalid("settings.lostMetres", "At least 1.")
        #expect(error.code == .invalid)
        #expect(error.fields == ["settings.lostMetres": "At least 1."])
        #expect(error == AppError(.invalid, "At least 1.", fields: ["settings.lostMetres": "At least 1."]))
    }

    @Test("Replacing the sentences changes nothing else")
    func saying() {
        let error = AppError(
            .throttled, "Too many tries.", fields: ["code": "Wrong.", "name": "Too long."], retryAfterSeconds: 60,
            status: 429
        )
        let loud = AppError(
            .throttled, "TOO MANY TRIES.", fields: ["code": "WRONG.", "name": "TOO LONG."], retryAfterSeconds: 60,
            status: 429
        )
        #expect(error.saying { $0.uppercased() } == loud)
    }

    @Test("A throttled client gets the number of seconds to wait")
    func throttled() {
        let error = AppError(.throttled, "Too many tries.", retryAfterSeconds: 60)
        #expect(error.retryAfterSeconds == 60)
        #expect(AppError.notFound.retryAfterSeconds == nil)
    }
}
