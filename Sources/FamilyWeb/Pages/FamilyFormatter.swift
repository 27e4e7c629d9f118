import Family
import Kernel
import WebCore

/// Formats points, dates and times in the reader's language. Create one for each response.
struct FamilyFormatter: Sendable {
    let now: Instant
    let times: TimeFormatter
    private let t: Translator

    init(_ t: Translator, now: Instant) {
        self.t = t
        self.now = now
        times = TimeFormatter(t, now: now)
    }

    /// `1 point`, `5 points`.
    func points(_ count: Int64) -> String {
        t("{n} point", plural: "{n} points", count: Int(count), ["n": number(count)])
    }

    /// `2 points above the maximum. They count as achievement.`
    func surplus(_ count: Int64) -> String {
        t(
            "{points} above the maximum. It counts as achievement.",
            plural: "{points} above the maximum. They count as achievement.", count: Int(count),
            ["points": points(count)])
    }

    /// `6 of 10`; only the points without a contract.
    func gained(_ child: Child) -> String {
        guard let contract = child.contract else { return number(child.gainedPoints) }
        return t("{n} of {max}", ["n": number(child.gainedPoints), "max": number(contract.maxPoints)])
    }

    /// Returns the text for the number of a child's devices.
    func devices(_ count: Int) -> String {
        if count == 0 { return t("Not signed in anywhere") }
        return t("Signed in on {n} device", plural: "Signed in on {n} devices", count: count)
    }

    /// `Declined by Ada: Not quite finished yet`.
    func declined(_ request: DeclinedRequest) -> String {
        switch (request.byName, request.reason) {
        case (let name?, let reason?): t("Declined by {name}: {reason}", ["name": name, "reason": reason])
        case (let name?, nil): t("Declined by {name}", ["name": name])
        case (nil, let reason?): t("Declined: {reason}", ["reason": reason])
        case (nil, nil): t("Declined")
        }
    }

    /// `1,000,000`.
    func number(_ value: Int64) -> String {
        (value < 0 ? "-" : "") + t.language.grouped(String(value.magnitude))
    }

    /// `12 May 2017`, `12. Mai 2017`; a text that isn't a date is returned unchanged.
    func date(_ text: String) -> String {
        t.date(text)
    }
}
