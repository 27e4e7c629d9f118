import Kernel

/// Writes an item's history, oldest first, in parts: `head`, then `rows` for each page, then `tail`.
struct HistoryWriter {
    let format: ExportFormat
    let itemName: String
    private var isFirst = true

    init(format: ExportFormat, itemName: String) {
        self.format = format
        self.itemName = itemName
    }

    func head() -> String {
        switch format {
        case .gpx: GPX.head(name: itemName)
        case .geojson: GeoJSON.head
        case .csv: CSV.head
        }
    }

    mutating func rows(_ fixes: [Fix]) -> String {
        var text = ""
        for fix in fixes {
            switch format {
            case .gpx: text += GPX.row(fix)
            case .geojson: text += (isFirst ? "\n" : ",\n") + GeoJSON.row(fix)
            case .csv: text += CSV.row(fix, itemName: itemName)
            }
            isFirst = false
        }
        return text
    }

    func tail() -> String {
        switch format {
        case .gpx: GPX.tail
        case .geojson: GeoJSON.tail
        case .csv: ""
        }
    }

    /// A file name in ASCII, safe in a header and on every file system.
    static func fileName(itemName: String, format: ExportFormat) -> String {
        let kept = itemName.lowercased().unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? Character(scalar) : "-"
        }
        let words = String(kept).split(separator: "-").joined(separator: "-")
        return (words.isEmpty ? "item" : words) + "." + format.rawValue
    }
}

/// Comma-separated values (RFC 4180) with the columns of the API.
private enum CSV {
    static let head = "item,at,latitude,longitude,accuracy_m,altitude_m,speed_mps,heading_deg,battery_pct,source\r\n"

    static func row(_ fix: Fix, itemName: String) -> String {
        let cells: [String] = [
            text(itemName),
            fix.at.rfc3339,
            PlainDecimal.text(fix.coordinate.latitude),
            PlainDecimal.text(fix.coordinate.longitude),
            fix.accuracyMetres.map(PlainDecimal.text) ?? "",
            fix.altitudeMetres.map(PlainDecimal.text) ?? "",
            fix.speedMetresPerSecond.map(PlainDecimal.text) ?? "",
            fix.headingDegrees.map(PlainDecimal.text) ?? "",
            fix.batteryPercent.map(String.init) ?? "",
            text(fix.source.rawValue),
        ]
        return cells.joined(separator: ",") + "\r\n"
    }

    /// The apostrophe keeps spreadsheets from reading a name as a formula.
    private static func text(_ cell: String) -> String {
        let isFormula = cell.unicodeScalars.first.map { "=+-@".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + cell : cell
        let needsQuotes = safe.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
        return needsQuotes ? MarkupText.quotedCell(safe) : safe
    }
}

/// A feature collection of points (RFC 7946): longitude first.
private enum GeoJSON {
    static let head = #"{"type":"FeatureCollection","features":["#
    static let tail = "\n]}\n"

    static func row(_ fix: Fix) -> String {
        var place = PlainDecimal.text(fix.coordinate.longitude) + "," + PlainDecimal.text(fix.coordinate.latitude)
        if let altitude = fix.altitudeMetres { place += "," + PlainDecimal.text(altitude) }
        let members: [String] = [
            #""at":"\#(fix.at.rfc3339)""#,
            #""accuracy":\#(number(fix.accuracyMetres))"#,
            #""altitude":\#(number(fix.altitudeMetres))"#,
            #""speed":\#(number(fix.speedMetresPerSecond))"#,
            #""heading":\#(number(fix.headingDegrees))"#,
            #""battery":\#(fix.batteryPercent.map(String.init) ?? "null")"#,
            #""source":"\#(fix.source.rawValue)""#,
        ]
        return #"{"type":"Feature","id":"\#(fix.id)","geometry":{"type":"Point","coordinates":["#
            + place + #"]},"properties":{"# + members.joined(separator: ",") + "}}"
    }

    private static func number(_ value: Double?) -> String { value.map(PlainDecimal.text) ?? "null" }
}

/// One track with one segment (GPX 1.1). Values without a GPX element go into extensions of our own namespace.
private enum GPX {
    static let tail = "</trkseg></trk>\n</gpx>\n"

    static func head(name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Homeward" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:homeward="urn:homeward:fix:1">
        <trk><name>\(escaped(name))</name><trkseg>

        """
    }

    static func row(_ fix: Fix) -> String {
        // The schema excludes the longitude 180.
        let longitude = fix.coordinate.longitude == 180 ? -180 : fix.coordinate.longitude
        let latitude = PlainDecimal.text(fix.coordinate.latitude)
        var text = #"<trkpt lat="\#(latitude)" lon="\#(PlainDecimal.text(longitude))">"#
        if let altitude = fix.altitudeMetres { text += "<ele>\(PlainDecimal.text(altitude))</ele>" }
        text += "<time>\(fix.at.rfc3339)</time><src>\(fix.source.rawValue)</src>"
        let extras: [String?] = [
            element("accuracy", fix.accuracyMetres),
            element("speed", fix.speedMetresPerSecond),
            element("heading", fix.headingDegrees),
            element("battery", fix.batteryPercent.map(Double.init)),
        ]
        let extensions = extras.compactMap(\.self).joined()
        if !extensions.isEmpty { text += "<extensions>\(extensions)</extensions>" }
        return text + "</trkpt>\n"
    }

    private static func element(_ name: String, _ value: Double?) -> String? {
        value.map { "<homeward:\(name)>\(PlainDecimal.text($0))</homeward:\(name)>" }
    }

    /// XML 1.0 forbids these characters even when escaped, so they become the replacement character.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\u{fffe}", "\u{ffff}": result.append("\u{fffd}")
            case "\u{0}"..<" ": result.append("\u{fffd}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
