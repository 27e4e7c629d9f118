import Carrepsa
import Kernel
import WebCore

/// What was entered into the forms of reviews.
struct ReviewFormState: Sendable {
    var text = ""
    var words: Set<ReviewWord> = []
    var reply = ""
}

/// The view model of the reviews on a package's page.
struct ReviewPanel: Sendable {
    let reviewURL: String
    let replyURL: String
    /// Why no review of the other person is shown; `nil` if it is shown.
    let hiddenText: String?
    let shown: [ReviewRow]
    let canWrite: Bool
    let choices: [WordChoice]
    let reviewField: PackageField
    let canReply: Bool
    let replyField: PackageField
    let endMoment: FormattedTime

    /// A word that the author can choose.
    struct WordChoice: Sendable {
        let wordName: String
        let wordLabel: String
        let isChosen: Bool
    }

    init?(
        _ details: PackageDetails, sent: PackagePage.Sent, _ words: PackageTextFormatter, _ t: Translator,
        _ formatter: CarrepsaFormatter
    ) {
        let times = formatter.times
        guard let reviews = details.reviews else { return nil }
        let url = CarrepsaPath.package(details.package.id)
        reviewURL = url + "/reviews"
        replyURL = url + "/reviews/reply"
        shown = [reviews.other, reviews.own].compactMap(\.self).map {
            ReviewRow($0, isOwn: $0.role == details.role, t, times)
        }
        canWrite = reviews.canWrite
        let isOver = formatter.now >= reviews.endsAt
        if reviews.other != nil || (isOver && reviews.own != nil) {
            hiddenText = nil
        } else if isOver {
            hiddenText = t("There are no reviews of this delivery.")
        } else if reviews.own == nil {
            hiddenText = words.fill(
                t("{name} sees your review once both of you have written, or when the time is over."))
        } else {
            hiddenText = words.fill(t("Your review is shown once {name} has written too, or when the time is over."))
        }
        choices = ReviewWord.allCases.map {
            WordChoice(wordName: $0.rawValue, wordLabel: $0.label(t), isChosen: sent.review.words.contains($0))
        }
        reviewField = PackageField(
            "text", t("Your review"), value: sent.review.text,
            hint: words.fill(t("It appears on {name}’s profile. You can’t change it later.")),
            message: canWrite ? sent.error?.fields["text"] ?? "" : "")
        canReply = reviews.canReply
        replyField = PackageField(
            "reply", t("Your reply"), value: sent.review.reply,
            hint: t("You can reply once. Everyone who sees the review sees it."),
            message: sent.error?.fields["reply"] ?? "")
        endMoment = FormattedTime(reviews.endsAt, times)
    }
}

/// A review in a list.
struct ReviewRow: Sendable {
    let reviewAuthor: String
    let reviewMoment: FormattedTime
    let reviewWords: String?
    let reviewText: String?
    let reviewReply: String?

    init(_ review: PackageReview, isOwn: Bool = false, _ t: Translator, _ times: TimeFormatter) {
        reviewAuthor = isOwn ? t("You") : review.authorName ?? t("Former member")
        reviewMoment = FormattedTime(review.at, times)
        let words = ReviewWord.allCases.filter(review.words.contains).map { $0.label(t) }
        reviewWords = words.isEmpty ? nil : words.isolated(separator: " · ")
        reviewText = review.text
        reviewReply = review.reply
    }
}

/// What people say about a person, on the person's page.
struct ReputationView: Sendable {
    let deliveriesText: String
    let counts: [WordCount]
    let reviews: [ReviewRow]
    let hasReviews: Bool

    /// How often a word was chosen.
    struct WordCount: Sendable {
        let wordLabel: String
        let wordCount: String
    }

    init(_ reputation: Reputation, _ t: Translator, _ times: TimeFormatter) {
        let carried = t("{n} delivery", plural: "{n} deliveries", count: Int(reputation.carried))
        let sent = t("{n} package sent", plural: "{n} packages sent", count: Int(reputation.sent))
        deliveriesText = [carried, sent].isolated(separator: " · ")
        counts = ReviewWord.allCases.compactMap { word in
            guard let count = reputation.words[word], count > 0 else { return nil }
            return WordCount(wordLabel: word.label(t), wordCount: t.language.grouped(String(count)))
        }
        reviews = reputation.reviews.map { ReviewRow($0, t, times) }
        hasReviews = !reviews.isEmpty
    }
}

extension ReviewWord {
    func label(_ t: Translator) -> String {
        switch self {
        case .onTime: t("On time")
        case .careful: t("Careful")
        case .friendly: t("Friendly")
        }
    }
}
