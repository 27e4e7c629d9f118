import Kernel

/// A review that a person wrote or replied to, in the person's data export. It has only the person's own texts.
struct ExportedReview: JSONWritable {
    private let review: PackageReview
    private let isOwn: Bool

    init(_ review: PackageReview, of person: PersonID) {
        self.review = review
        isOwn = review.author == person
    }

    func write(to json: inout JSONText) {
        let words = ReviewWord.allCases.filter(review.words.contains).map(\.rawValue)
        json.object { json in
            json.member("id", review.id.description)
            json.member("at", isOwn ? review.at : review.repliedAt)
            json.member("packageId", review.package.description)
            json.member("words", isOwn ? words.joined(separator: " ") : nil)
            json.member("text", isOwn ? review.text : nil)
            json.member("reply", isOwn ? nil : review.reply)
        }
    }
}
