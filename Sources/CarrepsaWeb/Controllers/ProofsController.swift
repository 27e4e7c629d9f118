import Carrepsa
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/carrepsa/packages/{id}/proofs`: owner and carrier add photos of the handovers.
struct ProofsController: Sendable {
    let proofs: ProofService
    let pictures: PictureLibrary
    let responder: PackageActionResponder

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.post("{id}/proofs", use: create)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        var picture = fields.id("pictureId", of: Picture.self).value
        let note = fields.string("note").value
        let typed = fields.typed("note")
        let upload = fields.file("picture")
        let change = try context.change(fields)
        return try await responder.showingErrors(
            id, context,
            form: { PackagePage.Sent(proofNote: typed, proofPicture: picture?.description ?? "", error: $0) }
        ) {
            // Decoding a picture is expensive.
            if upload?.bytes.isEmpty == false { try await proofs.requirePossible(id, for: context.actor) }
            if let stored = try await fields.store(upload, in: pictures, by: change) { picture = stored }
            try fields.check()
            let package = try await proofs.add(
                picture, note: note, to: id, reading: { [pictures] in try await pictures.file(of: $0, size: .large) },
                by: change)
            return responder.created(
                package, context, list: CarrepsaPath.package(id), toast: context.t("Photo added"))
        }
    }
}
