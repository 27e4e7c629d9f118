// swift-tools-version: 6.2

import PackageDescription

// One list of settings for every target, so that no module is looser than its neighbours.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// A library module. `embedding` turns its `Assets` and `Templates` folders into source at build time.
func module(_ name: String, _ dependencies: [Target.Dependency], embedding: Bool = false) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        exclude: embedding ? ["Embedded"] : [],
        swiftSettings: swiftSettings,
        plugins: embedding ? ["EmbedFiles"] : []
    )
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func command(_ name: String, _ dependencies: [Target.Dependency], embedding: Bool = false) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        exclude: embedding ? ["Embedded"] : [],
        swiftSettings: swiftSettings,
        plugins: embedding ? ["EmbedFiles"] : []
    )
}

func system(_ name: String, pkgConfig: String, debian: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
    static let configuration = product(name: "Configuration", package: "swift-configuration")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
    static let hummingbirdTesting = product(name: "HummingbirdTesting", package: "hummingbird")
    static let jwtKit = product(name: "JWTKit", package: "jwt-kit")
    static let logging = product(name: "Logging", package: "swift-log")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHPACK = product(name: "NIOHPACK", package: "swift-nio-http2")
    static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP1 = product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP2 = product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
    static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let subprocess = product(name: "Subprocess", package: "swift-subprocess")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let systemPackage = product(name: "SystemPackage", package: "swift-system")
}

let package = Package(
    name: "homeward",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "homeward", targets: ["homeward"]),
        .executable(name: "homeward-tracker", targets: ["homeward-tracker"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        // The system's libraries.
        system("CPostgres", pkgConfig: "libpq", debian: "libpq-dev"),
        system("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
        system("CSodium", pkgConfig: "libsodium", debian: "libsodium-dev"),
        system("CJPEG", pkgConfig: "libjpeg", debian: "libjpeg-dev"),
        system("CGD", pkgConfig: "gdlib", debian: "libgd-dev"),
        system("CExif", pkgConfig: "libexif", debian: "libexif-dev"),
        system("CHEIF", pkgConfig: "libheif", debian: "libheif-dev"),
        system("CLCMS2", pkgConfig: "lcms2", debian: "liblcms2-dev"),
        .systemLibrary(name: "CSandbox"),
        system("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
        system("CQRencode", pkgConfig: "libqrencode", debian: "libqrencode-dev"),
        system("CSystemd", pkgConfig: "libsystemd", debian: "libsystemd-dev"),

        // From the bottom up: a module may only use those above it in this list.
        module("Kernel", []),
        module("Recurrence", ["Kernel"]),
        module("Translations", ["Kernel"], embedding: true),
        module("TrackerProtocol", ["Kernel", .crypto]),
        module("TrackerCore", ["Kernel", "TrackerProtocol"]),
        module("BlueZ", ["Kernel", "CSystemd", .logging]),
        module("Storage", ["Kernel", "CPostgres", .crypto, .grdb, .grdbSQLite, .logging]),
        module("Jobs", ["Kernel", "Storage", .logging]),
        module("Objects", ["Kernel", .asyncHTTPClient, .crypto, .logging, .nioCore, .nioHTTP1]),
        module("Backups", ["Kernel", "Storage", "Objects", "CSodium", .crypto, .logging]),
        module("Hologram", ["Kernel", .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1]),
        module("MapFiles", ["Kernel", "CZlib", .crypto, .grdbSQLite]),
        module("MapServices", ["Kernel", .asyncHTTPClient, .nioCore, .nioHTTP1]),
        module("Quotas", ["Kernel", "Storage"]),
        module(
            "Pictures",
            [
                "Kernel", "Storage", "Objects", "Quotas", "CGD", "CJPEG", "CExif", "CHEIF", "CLCMS2", "CSandbox",
                "CZlib",
                .crypto,
                .subprocess, .systemPackage, .logging,
            ],
            embedding: true
        ),
        module(
            "Accounts",
            [
                "Kernel", "Translations", "Storage", "Jobs", "Objects", "Quotas", "Pictures", "CCurl", "CSodium",
                "CZlib",
                .asyncHTTPClient, .crypto,
                .jwtKit,
                .subprocess, .systemPackage, .logging, .nioCore, .nioHTTP1, .nioPosix,
            ]
        ),
        module(
            "Notifications",
            [
                "Kernel", "Translations", "Storage", "Jobs", "Accounts", .asyncHTTPClient, .crypto, .logging, .nioCore,
                .nioHTTP1, .serviceLifecycle,
            ]
        ),
        module("Ledger", ["Kernel", "Storage", .crypto, .logging]),
        module(
            "Carrepsa",
            [
                "Kernel", "Recurrence", "Storage", "MapServices", "Accounts", "Notifications", "Ledger", "Pictures",
                .crypto, .logging,
            ]
        ),
        module(
            "Family",
            ["Kernel", "Recurrence", "Storage", "Accounts", "Notifications", "Ledger", "Pictures", .crypto, .logging]
        ),
        module(
            "Tracking",
            [
                "Kernel", "Recurrence", "Storage", "Jobs", "Objects", "Hologram", "MapServices", "Accounts",
                "Notifications", "Quotas", "Pictures", "TrackerProtocol", "CSodium", .crypto, .logging,
            ]
        ),
        module(
            "WebCore",
            [
                "Kernel", "Translations", "Storage", "Jobs", "Quotas", "Backups", "MapFiles", "Accounts", "Pictures",
                "CQRencode",
                "CZlib", .hummingbird,
                .hummingbirdCore,
                .httpTypes, .logging, .nioCore, .nioHTTPTypes, .nioHTTPTypesHTTP1, .crypto, .serviceLifecycle,
            ],
            embedding: true
        ),
        module(
            "AccountsWeb",
            [
                "Kernel", "Storage", "Quotas", "Accounts", "Notifications", "Pictures", "WebCore", .hummingbird,
                .httpTypes, .logging, .crypto,
            ],
            embedding: true
        ),
        module(
            "AdminWeb",
            [
                "Kernel", "Jobs", "Quotas", "Backups", "Accounts", "Notifications", "Ledger", "Carrepsa", "Tracking",
                "WebCore",
                "AccountsWeb", .hummingbird, .httpTypes,
            ],
            embedding: true
        ),
        module(
            "TrackingWeb",
            [
                "Kernel", "Recurrence", "Storage", "Accounts", "Pictures", "Tracking", "TrackerProtocol", "WebCore",
                .hummingbird,
                .httpTypes, .logging, .nioCore,
            ],
            embedding: true
        ),
        module(
            "CarrepsaWeb",
            [
                "Kernel", "Recurrence", "Storage", "MapServices", "Accounts", "Pictures", "Ledger", "Carrepsa",
                "WebCore",
                .hummingbird, .httpTypes, .logging,
            ],
            embedding: true
        ),
        module(
            "FamilyWeb",
            [
                "Kernel", "Recurrence", "Storage", "Accounts", "Pictures", "Family", "WebCore", .hummingbird,
                .httpTypes, .logging,
            ],
            embedding: true
        ),
        module(
            "Server",
            [
                "Kernel", "Storage", "Jobs", "Objects", "Quotas", "Backups", "Hologram", "MapFiles", "MapServices",
                "Pictures", "Accounts",
                "Notifications", "Ledger", "Carrepsa", "Family", "Tracking", "WebCore", "AccountsWeb", "AdminWeb",
                "CarrepsaWeb",
                "FamilyWeb", "TrackingWeb",
                .asyncHTTPClient, .configuration,
                .hummingbird,
                .hummingbirdCore, .nioHTTP2, .nioHTTPTypes, .nioHTTPTypesHTTP2, .nioSSL, .nioTLS, .nioCore, .nioHTTP1,
                .logging,
                .serviceLifecycle, .unixSignals,
            ]
        ),
        command(
            "homeward",
            [
                "Kernel", "Recurrence", "Storage", "Backups", "Pictures", "Accounts", "Notifications", "Ledger",
                "Carrepsa", "Family", "Tracking", "AdminWeb", "Server", "MapFiles", "CGD",
                .argumentParser, .asyncHTTPClient, .configuration, .crypto, .cryptoExtras, .hummingbird, .httpTypes,
                .jwtKit, .logging, .nioCore, .nioHTTP1, .nioSSL, .subprocess, .systemPackage, .serviceLifecycle,
            ],
            embedding: true
        ),
        command(
            "homeward-tracker",
            [
                "Kernel", "TrackerProtocol", "TrackerCore", "BlueZ", "CSystemd", .argumentParser, .asyncHTTPClient,
                .nioCore, .nioHTTP1, .nioPosix, .crypto, .logging,
            ]
        ),

        // Turns files into source, so that the product stays one binary.
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
        command("embed-files", []),

        // Expands recurrence rules for the comparison with another program (e2e/server/test_recurrence.py).
        command("recurrence-check", ["Kernel", "Recurrence"]),

        // Temporary databases, a clock that is set by hand, repeatable randomness, others' services on loopback.
        module(
            "TestSupport",
            [
                "Kernel", "Storage", "Pictures", "Accounts", "CZlib", .crypto, .hummingbird, .hummingbirdCore,
                .httpTypes,
                .logging, .nioCore, .serviceLifecycle,
            ]
        ),
        tests("KernelTests", ["Kernel"]),
        tests("RecurrenceTests", ["Kernel", "Recurrence"]),
        tests("TranslationsTests", ["Kernel", "Translations"]),
        tests("StorageTests", ["Kernel", "Storage", "TestSupport", .logging]),
        tests("JobsTests", ["Kernel", "Storage", "Jobs", "TestSupport", .logging]),
        tests("ObjectsTests", ["Kernel", "Objects", "TestSupport", .logging]),
        tests(
            "BackupsTests", ["Kernel", "Storage", "Objects", "Backups", "TestSupport", "CSodium", .crypto, .logging]
        ),
        tests(
            "PicturesTests",
            [
                "Kernel", "Storage", "Objects", "Quotas", "Pictures", "TestSupport", "CGD", "CHEIF", "CLCMS2", "CZlib",
                .logging,
            ]
        ),
        tests("TrackerProtocolTests", ["Kernel", "TrackerProtocol", .crypto]),
        tests("TrackerCoreTests", ["Kernel", "TrackerProtocol", "TrackerCore"]),
        tests("BlueZTests", ["BlueZ", "CSystemd"]),
        tests(
            "HomewardTrackerTests",
            ["Kernel", "TrackerProtocol", "TrackerCore", "BlueZ", "homeward-tracker", .logging, .nioCore, .nioPosix]
        ),
        tests(
            "AccountsTests",
            [
                "Kernel", "Translations", "Storage", "Jobs", "Objects", "Quotas", "Pictures", "Accounts", "TestSupport",
                "CCurl", .crypto, .cryptoExtras, .jwtKit, .logging,
            ]
        ),
        tests(
            "NotificationsTests",
            [
                "Kernel", "Translations", "Storage", "Jobs", "Objects", "Pictures", "Accounts", "Notifications",
                "TestSupport",
                .crypto, .httpTypes, .logging,
            ]
        ),
        tests("LedgerTests", ["Kernel", "Storage", "Ledger", "TestSupport", .crypto, .logging]),
        tests(
            "CarrepsaTests",
            [
                "Kernel", "Recurrence", "Translations", "Storage", "Jobs", "Objects", "Pictures", "Accounts",
                "Notifications",
                "Ledger", "MapServices",
                "Carrepsa", "TestSupport", .crypto, .logging,
            ]
        ),
        tests(
            "FamilyTests",
            [
                "Kernel", "Recurrence", "Storage", "Jobs", "Objects", "Pictures", "Accounts", "Notifications", "Ledger",
                "Family", "TestSupport", .crypto,
                .logging,
            ]
        ),
        tests("MapServicesTests", ["Kernel", "MapServices"]),
        tests("MapFilesTests", ["Kernel", "MapFiles", "TestSupport", .grdbSQLite]),
        tests("HologramTests", ["Kernel", "Hologram", "TestSupport", .httpTypes, .logging]),
        tests(
            "TrackingTests",
            [
                "Kernel", "Storage", "Jobs", "Objects", "Quotas", "Hologram", "MapServices", "Pictures", "Accounts",
                "Notifications", "TrackerProtocol",
                "Tracking",
                "TestSupport",
                "CSodium", .crypto, .logging,
            ]
        ),
        tests(
            "WebCoreTests",
            [
                "Kernel", "Translations", "Storage", "Backups", "Accounts", "Pictures", "WebCore", "TestSupport",
                .hummingbird,
                .hummingbirdCore,
                .hummingbirdTesting, .httpTypes, .nioCore, .nioEmbedded, .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1,
                .logging,
            ]
        ),
        tests(
            "ServerTests",
            [
                "Kernel", "Recurrence", "Translations", "Storage", "Jobs", "Objects", "Backups", "Hologram", "Accounts",
                "Notifications", "Quotas", "Pictures",
                "Ledger",
                "Carrepsa", "Family",
                "Tracking",
                "TrackerProtocol", "WebCore", "AccountsWeb", "AdminWeb", "CarrepsaWeb", "FamilyWeb", "TrackingWeb",
                "Server",
                "TestSupport", .configuration, .hummingbird, .hummingbirdCore, .hummingbirdTesting, .httpTypes,
                .nioCore, .nioHPACK, .nioPosix, .nioSSL, .nioTLS, .logging, .crypto,
            ]
        ),
        tests(
            "ContractTests",
            [
                "Kernel", "Storage", "Pictures", "Accounts", "Notifications", "WebCore", "Server", "TestSupport",
                .configuration, .crypto, .httpTypes,
                .hummingbird, .hummingbirdCore, .hummingbirdTesting, .nioCore, .logging,
            ]
        ),
        tests(
            "ReaderTests",
            [
                "Kernel", "Translations", "Recurrence", "Objects", "Backups", "Hologram", "MapFiles", "MapServices",
                "Pictures", "Accounts", "Notifications", "TrackerProtocol", "Tracking", "Carrepsa", "Family", "WebCore",
                "CarrepsaWeb", "FamilyWeb", "TrackingWeb", "Server", "Storage", .httpTypes, .hummingbird, .nioCore,
            ]
        ),
        tests("TidyTests", ["Kernel", "Translations"]),
    ]
)
