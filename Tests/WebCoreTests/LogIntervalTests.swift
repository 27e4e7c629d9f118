import Kernel
import Testing
import WebCore

@Suite("The interval of repeated log entries")
struct LogIntervalTests {
    @Test("An error is logged at most once in the interval, and again when the clock was set back")
    func interval() {
        let (interval, start) = (LogInterval(seconds: 60), Instant(millisecondsSince1970: 1_000_000))
        #expect(interval.isDue(at: start))
        #expect(!interval.isDue(at: start) && !interval.isDue(at: start.adding(seconds: 59)))
        #expect(interval.isDue(at: start.adding(seconds: 60)))
        #expect(!interval.isDue(at: start.adding(seconds: 61)))
        #expect(interval.isDue(at: start.adding(seconds: -5)))
        #expect(!interval.isDue(at: start))
    }
}
