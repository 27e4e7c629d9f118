import Kernel
import Testing

@Suite("Errors")
struct AppErrorTests {
    @Test("the codes are the ones that clients know")
    func codes() {
        let codes = Set(AppError.Code.allCases.map(\.rawValue))
        #expect(
            codes == [
                "malformed", "invalid", "unauthenticated", "forbidden", "not_found", "conflict", "insufficient_funds",
                "reward_not_funded", "too_large", "locked", "throttled", "internal", "unavailable",
            ]
        )
    }

    @Test("a refused value is told at its field")
    func field() {
        let error = AppError.invalid("settings.lostMetres", "At least 1.")
        #expect(error.code == .invalid)
        #expect(error.fields == ["settings.lostMetres": "At least 1."])
        #expect(error == AppError(.invalid, "At least 1.", fields: ["settings.lostMetres": "At least 1."]))
    }

    @Test("its sentences can be said otherwise, and nothing else changes")
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

    @Test("a throttled client is told how long to wait")
    func throttled() {
        let error = AppError(.throttled, "Too many tries.", retryAfterSeconds: 60)
        #expect(error.retryAfterSeconds == 60)
        #expect(AppError.notFound.retryAfterSeconds == nil)
    }
}
