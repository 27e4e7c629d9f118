import Foundation
import Kernel
import Testing

@testable import Tracking

@Suite("Exports of histories")
struct ExportTests {
    private static let evil = "=Bike <&> \"my\" 🚲\u{fffe}, ]]>"

    private func fixes() throws -> [Fix] {
        let start = Instant(millisecondsSince1970: 1_772_366_400_000)
        let full = Fix(
            id: ID(at: start, series: 1), at: start,
            coordinate: try #require(Coordinate(latitude: -1.5, longitude: 180)),
            accuracyMetres: 4.5, altitudeMetres: -3.25, speedMetresPerSecond: 1e-7, headingDegrees: 359.9,
            batteryPercent: 80, source: .owntracks
        )
        let bare = Fix(
            id: ID(at: start.adding(seconds: 1), series: 1), at: start.adding(seconds: 1),
            coordinate: try #require(Coordinate(latitude: 1e-7, longitude: -179.5)), source: .tracker
        )
        return [full, bare]
    }

    private func file(_ format: ExportFormat, name: String = evil, _ pages: [[Fix]]) -> String {
        var writer = HistoryWriter(format: format, itemName: name)
        var text = writer.head()
        for page in pages { text += writer.rows(page) }
        return text + writer.tail()
    }

    @Test("CSV has the documented columns, and a name isn't read as a formula")
    func csv() throws {
        let text = file(.csv, [try fixes()])
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines[0] == "item,at,latitude,longitude,accuracy_m,altitude_m,speed_mps,heading_deg,battery_pct,source")
        let name = "\"'=Bike <&> \"\"my\"\" 🚲\u{fffe}, ]]>\""
        #expect(lines[1] == name + ",2026-03-01T12:00:00.000Z,-1.5,180,4.5,-3.25,0.0000001,359.9,80,owntracks")
        #expect(lines[2] == name + ",2026-03-01T12:00:01.000Z,0.0000001,-179.5,,,,,,tracker")
        #expect(lines[3].isEmpty)
        #expect(lines.count == 4)
    }

    @Test(
        "Text cells that start like a formula get an apostrophe, numbers don't",
        arguments: [
            ("=1+1", "'=1+1"), ("+49", "'+49"), ("-5", "'-5"), ("@me", "'@me"), ("a=b", "a=b"), ("'x", "'x"),
        ])
    func formulas(name: String, cell: String) throws {
        let text = file(.csv, name: name, [try fixes()])
        let line = try #require(text.components(separatedBy: "\r\n").dropFirst().first)
        #expect(line.hasPrefix(cell + ",2026"))
        #expect(line.contains(",-1.5,180,"))
    }

    @Test(
        "A name with a quotation mark remains in its cell, whatever character follows",
        arguments: ["", "\u{301}", "\u{fe0f}", "\u{200d}", "\u{903}"])
    func quotedNames(mark: String) throws {
        let csv = file(.csv, name: "a\"\(mark),\"b", [try fixes()])
        #expect(Data(csv.utf8).range(of: Data("\r\n\"a\"\"\(mark),\"\"b\",2026".utf8)) != nil)
        let gpx = file(.gpx, name: "<\(mark)a>\(mark)&\(mark)", [try fixes()])
        #expect(Data(gpx.utf8).range(of: Data("<name>&lt;\(mark)a&gt;\(mark)&amp;\(mark)</name>".utf8)) != nil)
    }

    @Test("GeoJSON is a feature collection with longitude first, over several pages")
    func geoJSON() throws {
        let fixes = try fixes()
        for pages in [[fixes], [[fixes[0]], [fixes[1]], []]] {
            let json = try JSONSerialization.jsonObject(with: Data(file(.geojson, pages).utf8))
            let collection = try #require(json as? [String: Any])
            #expect(collection["type"] as? String == "FeatureCollection")
            let features = try #require(collection["features"] as? [[String: Any]])
            #expect(features.count == 2)
            let geometry = try #require(features[0]["geometry"] as? [String: Any])
            #expect(features[0]["type"] as? String == "Feature")
            #expect(features[0]["id"] as? String == fixes[0].id.description)
            #expect(geometry["type"] as? String == "Point")
            #expect(geometry["coordinates"] as? [Double] == [180, -1.5, -3.25])
            let properties = try #require(features[0]["properties"] as? [String: Any])
            #expect(properties["at"] as? String == "2026-03-01T12:00:00.000Z")
            #expect(properties["accuracy"] as? Double == 4.5)
            #expect(properties["source"] as? String == "owntracks")
            let others = try #require(features[1]["properties"] as? [String: Any])
            #expect(others["battery"] is NSNull)
        }
        let empty = try JSONSerialization.jsonObject(with: Data(file(.geojson, [[]]).utf8)) as? [String: Any]
        #expect((empty?["features"] as? [Any])?.isEmpty == true)
    }

    @Test("GPX is valid by the schema", .enabled(if: GPXSchema.canValidate), arguments: [0, 1, 2])
    func gpxSchema(count: Int) throws {
        let text = file(.gpx, [Array(try fixes().prefix(count))])
        #expect(try GPXSchema.problems(of: text).isEmpty)
    }

    @Test(
        "The schema finds each kind of mistake", .enabled(if: GPXSchema.canValidate),
        arguments: [
            ("lon=\"-180\"", "lon=\"180\""), ("0.0000001", "1e-07"), ("<time>", "<src>x</src><time>"),
        ])
    func gpxSchemaFinds(right: String, wrong: String) throws {
        let text = file(.gpx, [try fixes()])
        #expect(text.contains(right))
        #expect(!(try GPXSchema.problems(of: text.replacing(right, with: wrong)).isEmpty))
    }

    @Test("GPX has place, time and further values in the schema's order")
    func gpx() throws {
        let text = file(.gpx, [try fixes()])
        #expect(text.contains("<trk><name>=Bike &lt;&amp;&gt; \"my\" 🚲\u{fffd}, ]]&gt;</name><trkseg>"))
        #expect(
            text.contains(
                #"<trkpt lat="-1.5" lon="-180"><ele>-3.25</ele><time>2026-03-01T12:00:00.000Z</time>"#
                    + "<src>owntracks</src><extensions><homeward:accuracy>4.5</homeward:accuracy>"
                    + "<homeward:speed>0.0000001</homeward:speed><homeward:heading>359.9</homeward:heading>"
                    + "<homeward:battery>80</homeward:battery></extensions></trkpt>"
            )
        )
        #expect(
            text.contains(
                #"<trkpt lat="0.0000001" lon="-179.5"><time>2026-03-01T12:00:01.000Z</time><src>tracker</src></trkpt>"#
            )
        )
    }

    @Test(
        "File names are plain ASCII",
        arguments: [
            ("My Bike", "my-bike.gpx"), ("../../etc/passwd", "etc-passwd.gpx"), ("Ключи", "item.gpx"),
            ("\"; x=\"1", "x-1.gpx"),
        ])
    func fileNames(name: String, expected: String) {
        #expect(HistoryWriter.fileName(itemName: name, format: .gpx) == expected)
    }
}

/// Our own schema of GPX 1.1 for the elements that we write: order, ranges and types.
enum GPXSchema {
    static var canValidate: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint") }

    /// The output of `xmllint`; empty for a valid file.
    static func problems(of document: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gpx-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schemaFile = folder.appending(path: "gpx.xsd")
        let documentFile = folder.appending(path: "history.gpx")
        try Data(schema.utf8).write(to: schemaFile)
        try Data(document.utf8).write(to: documentFile)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xmllint")
        process.arguments = ["--noout", "--nonet", "--schema", schemaFile.path, documentFile.path]
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : text
    }

    private static let schema = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="http://www.topografix.com/GPX/1/1"
            targetNamespace="http://www.topografix.com/GPX/1/1" elementFormDefault="qualified">
          <xsd:element name="gpx" type="file"/>
          <xsd:complexType name="file">
            <xsd:sequence>
              <xsd:element name="metadata" minOccurs="0"/>
              <xsd:element name="trk" type="track" minOccurs="0" maxOccurs="unbounded"/>
              <xsd:element name="extensions" type="extensions" minOccurs="0"/>
            </xsd:sequence>
            <xsd:attribute name="version" type="xsd:string" use="required" fixed="1.1"/>
            <xsd:attribute name="creator" type="xsd:string" use="required"/>
          </xsd:complexType>
          <xsd:complexType name="track">
            <xsd:sequence>
              <xsd:element name="name" type="xsd:string" minOccurs="0"/>
              <xsd:element name="cmt" type="xsd:string" minOccurs="0"/>
              <xsd:element name="desc" type="xsd:string" minOccurs="0"/>
              <xsd:element name="src" type="xsd:string" minOccurs="0"/>
              <xsd:element name="number" type="xsd:nonNegativeInteger" minOccurs="0"/>
              <xsd:element name="type" type="xsd:string" minOccurs="0"/>
              <xsd:element name="extensions" type="extensions" minOccurs="0"/>
              <xsd:element name="trkseg" type="segment" minOccurs="0" maxOccurs="unbounded"/>
            </xsd:sequence>
          </xsd:complexType>
          <xsd:complexType name="segment">
            <xsd:sequence>
              <xsd:element name="trkpt" type="point" minOccurs="0" maxOccurs="unbounded"/>
              <xsd:element name="extensions" type="extensions" minOccurs="0"/>
            </xsd:sequence>
          </xsd:complexType>
          <xsd:complexType name="point">
            <xsd:sequence>
              <xsd:element name="ele" type="xsd:decimal" minOccurs="0"/>
              <xsd:element name="time" type="xsd:dateTime" minOccurs="0"/>
              <xsd:element name="magvar" type="xsd:decimal" minOccurs="0"/>
              <xsd:element name="geoidheight" type="xsd:decimal" minOccurs="0"/>
              <xsd:element name="name" type="xsd:string" minOccurs="0"/>
              <xsd:element name="cmt" type="xsd:string" minOccurs="0"/>
              <xsd:element name="desc" type="xsd:string" minOccurs="0"/>
              <xsd:element name="src" type="xsd:string" minOccurs="0"/>
              <xsd:element name="sym" type="xsd:string" minOccurs="0"/>
              <xsd:element name="type" type="xsd:string" minOccurs="0"/>
              <xsd:element name="sat" type="xsd:nonNegativeInteger" minOccurs="0"/>
              <xsd:element name="hdop" type="xsd:decimal" minOccurs="0"/>
              <xsd:element name="extensions" type="extensions" minOccurs="0"/>
            </xsd:sequence>
            <xsd:attribute name="lat" type="latitude" use="required"/>
            <xsd:attribute name="lon" type="longitude" use="required"/>
          </xsd:complexType>
          <xsd:complexType name="extensions">
            <xsd:sequence>
              <xsd:any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
            </xsd:sequence>
          </xsd:complexType>
          <xsd:simpleType name="latitude">
            <xsd:restriction base="xsd:decimal">
              <xsd:minInclusive value="-90.0"/><xsd:maxInclusive value="90.0"/>
            </xsd:restriction>
          </xsd:simpleType>
          <xsd:simpleType name="longitude">
            <xsd:restriction base="xsd:decimal">
              <xsd:minInclusive value="-180.0"/><xsd:maxExclusive value="180.0"/>
            </xsd:restriction>
          </xsd:simpleType>
        </xsd:schema>
        """
}
