import Kernel
import WebCore

extension Translator {
    static func unknownKind(_ language: Language) -> String {
        switch language {
        case .english: "There are no such notifications."
        case .german: "Solche Mitteilungen gibt es nicht."
        }
    }
}
