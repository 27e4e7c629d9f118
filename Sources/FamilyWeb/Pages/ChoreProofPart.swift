import Family
import Kernel
import WebCore

/// The part of the chore form for the steps and the photo that a child's request needs.
struct ChoreProofPart: Sendable {
    /// `3 steps, photo`.
    let proofText: String
    let isProofOpen: Bool
    let stepsText: String
    let stepsHint: String
    let stepsError: String
    let isStepsInvalid: Bool
    let needsPhoto: Bool

    init(_ typed: ChoreFormState, _ errors: FormErrors, _ t: Translator) {
        let count = typed.steps.split(whereSeparator: \.isNewline).count
        let parts = [
            count == 0 ? nil : t("{n} step", plural: "{n} steps", count: count),
            typed.needsPhoto ? t("photo") : nil,
        ].compactMap(\.self)
        proofText = parts.isEmpty ? t("Off") : parts.isolated(separator: ", ")
        stepsText = typed.steps
        stepsHint = t(
            "Up to {n} steps. The child ticks them off before it is done.", ["n": String(Limits.choreSteps)])
        stepsError = errors["steps"] ?? ""
        isStepsInvalid = !stepsError.isEmpty
        needsPhoto = typed.needsPhoto
        isProofOpen = isStepsInvalid
    }
}
