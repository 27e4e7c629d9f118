import Carrepsa
import Kernel
import Pictures
import WebCore

/// The view model of the photos of a package's handovers, with the form that adds one.
struct ProofPanel: Sendable {
    let photos: [ProofView]
    let hasPhotos: Bool
    /// `nil` if the reader can't add one now.
    let proofForm: ProofForm?

    init?(_ details: PackageDetails, sent: PackagePage.Sent, t: Translator, formatter: CarrepsaFormatter) {
        photos = details.proofs.map { ProofView($0, t, formatter) }
        hasPhotos = !photos.isEmpty
        proofForm = details.actions.contains(.addProof) ? ProofForm(details, sent, t) : nil
        guard hasPhotos || proofForm != nil else { return nil }
    }
}

/// A photo in the list.
struct ProofView: Sendable {
    let proofLabel: String
    let proofNote: String
    let hasProofNote: Bool
    /// `nil` if it was deleted with the account of the person who took it.
    let proofImageURL: String?
    let proofURL: String?
    let proofMoment: FormattedTime

    init(_ proof: PackageProof, _ t: Translator, _ formatter: CarrepsaFormatter) {
        let name = proof.byName ?? t("Former member")
        proofLabel =
            proof.step == .pickup
            ? t("At the pickup, by {name}", ["name": name]) : t("At the delivery, by {name}", ["name": name])
        proofNote = proof.note ?? ""
        hasProofNote = !proofNote.isEmpty
        proofImageURL = proof.pictureID.map { CarrepsaPath.picture($0, size: .medium) }
        proofURL = proof.pictureID.map { CarrepsaPath.picture($0, size: .large) }
        proofMoment = FormattedTime(proof.at, formatter.times)
    }
}

/// The form that adds a photo.
struct ProofForm: Sendable {
    let proofsURL: String
    let proofVersion: String
    let proofHint: String
    let photo: PhotoField
    let noteField: PackageField
    let isProofOpen: Bool

    init(_ details: PackageDetails, _ sent: PackagePage.Sent, _ t: Translator) {
        let package = details.package
        proofsURL = CarrepsaPath.package(package.id) + "/proofs"
        proofVersion = String(package.version)
        proofHint =
            package.requiresPhotos
            ? details.role == .owner
                ? t("You want a photo before each handover is confirmed.")
                : t("The owner wants a photo before each handover is confirmed.")
            : t("A photo proves the condition. Its hash is sealed and can’t be changed afterwards.")
        let picture = ID<Picture>(sent.proofPicture)
        let faults = sent.isStatement ? [:] : sent.error?.fields ?? [:]
        photo = PhotoField(
            pictureID: picture?.description ?? "", imageURL: picture.map { CarrepsaPath.picture($0, size: .medium) },
            error: faults["picture"] ?? faults["pictureId"] ?? "", label: t("Photo"))
        noteField = PackageField(
            "note", t("Condition"), value: sent.proofNote, hint: t("For example a dent that was there before"),
            message: faults["note"] ?? "")
        isProofOpen = package.requiresPhotos || noteField.isInvalid || !photo.error.isEmpty
    }
}
