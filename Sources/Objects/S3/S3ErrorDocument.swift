/// The error code in an error response.
enum S3ErrorDocument {
    static func code(_ bytes: [UInt8]) -> String {
        let leaves = (try? S3XMLParser.leaves(bytes)) ?? []
        let code = leaves.first { $0.path == "Error/Code" }?.text ?? ""
        // The code is written to logs, so it is filtered.
        return String(
            code.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }.prefix(60).map(Character.init))
    }
}
