import Kernel

/// The messages about a file of an archive, in English.
extension AccountMessage {
    /// Returns that a list has the same id twice.
    static func importRepeated(in path: String) -> String {
        let t = Translator.english
        return t("The file {file} of this export contains an entry twice. Nothing was imported.", ["file": path])
    }

    /// Returns that a list has too many entries.
    static func importOverfull(in path: String, maximum: Int) -> String {
        let t = Translator.english
        return t(
            "The file {file} of this export has more than {n} entries. Nothing was imported.",
            ["file": path, "n": String(maximum)])
    }
}
