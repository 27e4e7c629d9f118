import Kernel

/// A review in the data export of its author.
struct ExportedReview: JSONWritable {
    private let review: PackageReview

    init(_ review: PackageReview) { self.review = review }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", review.id.description)
            json.member("at", review.at)
            json.member("packageId", review.package.description)
            json.member(
                "words", ReviewWord.allCases.filter(review.words.contains).map(\.rawValue).joined(separator: " "))
            json.member("text", review.text)
        }
    }
}
