// swift-tools-version: 6.2
import PackageDescription

// Arrows point from what acts to what is known, never back; what a target must not do, it cannot import.
// `packaging/test` builds with `--explicit-target-dependency-import-check error`, so an import that is not
// declared here fails.
let package = Package(
    name: "zonefolder",
    products: [
        .executable(name: "zonefolder", targets: ["zonefolder"]),
        .executable(name: "zonefolder-simulate", targets: ["zonefolder-simulate"]),
        // Only tests load it, into the program's real processes; no other target may depend on it.
        .library(name: "FaultInjector", type: .dynamic, targets: ["CFaultInjector"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // Values; import nothing.
        .target(name: "SyncModel"),
        .target(name: "LosslessJSON"),
        .target(name: "CloudKitSchema"),
        // Whose a file is, what is known of both sides, then decisions; no file or socket in reach.
        .target(name: "FileCustody", dependencies: ["SyncModel"]),
        .target(name: "RecordTrees", dependencies: ["FileCustody", "SyncModel"]),
        .target(
            name: "SyncPlanning",
            dependencies: [
                "FileCustody", "RecordTrees", "SyncModel",
            ]),
        // The protocol's JSON, and only that; below it how a value is read and written.
        .target(name: "WireCoding", dependencies: ["LosslessJSON"]),
        .target(name: "CloudKitWire", dependencies: ["LosslessJSON", "WireCoding"]),
        .target(name: "CloudKitQueries", dependencies: ["CloudKitWire", "LosslessJSON", "WireCoding"]),
        // Two versions of a document become one.
        .target(name: "DocumentMerging", dependencies: ["LosslessJSON", "RecordMapping", "RecordPaths"]),
        .target(
            name: "RecordMapping",
            dependencies: [
                "CloudKitSchema", "CloudKitWire", "LosslessJSON", "RecordPaths", "SyncModel",
            ]
        ),
        // Which names records have for paths, and which paths for names.
        .target(
            name: "RecordPaths",
            dependencies: [
                "CloudKitSchema", "SyncModel", .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // A database that somebody else writes.
        .target(
            name: "DatabaseReading",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // The folder.
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .target(name: "CFolderCalls"),
        .target(
            name: "FolderWatching",
            dependencies: [
                "CInotifyTools", "SyncModel", .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .target(
            name: "LocalFolder",
            dependencies: [
                "CFolderCalls", "SyncModel",
                .product(name: "BitCollections", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "FolderWriting",
            dependencies: [
                "LocalFolder", "SyncModel",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // The machine's links, addresses and routes.
        .systemLibrary(name: "CNetlink", providers: [.apt(["linux-libc-dev"])]),
        .target(name: "NetworkWatching", dependencies: ["CNetlink"]),
        // Where the rows of very large folders are.
        .target(
            name: "MappedMemory",
            dependencies: [
                "LocalFolder", "RecordTrees", "SyncPlanning",
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // The zone.
        .target(
            name: "CloudKitClient",
            dependencies: [
                "CloudKitQueries", "CloudKitWire", "WireCoding",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        // Small texts.
        .systemLibrary(name: "CDeflate", providers: [.apt(["zlib1g-dev"])]),
        // The hidden state directory: settings, credentials, locks; then what its database keeps.
        .target(
            name: "FolderSettings",
            dependencies: [
                "SyncModel",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "TOMLKit", package: "TOMLKit"),
            ]
        ),
        .target(name: "StateRows", dependencies: ["CDeflate", "FolderSettings", "SyncModel"]),
        // The file that they are in: its schema, and whose log lies beside it.
        .target(
            name: "StateDatabase",
            dependencies: [
                "FolderSettings", "StateRows",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "StateStorage",
            dependencies: [
                "DatabaseReading", "FolderSettings", "StateDatabase", "StateRows", "SyncModel",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // When a request may be made again, and how many at a time.
        .target(name: "RequestPacing", dependencies: ["CloudKitClient"]),
        // Clocks that are handed in, and what waits for them.
        .target(name: "SyncTiming"),
        // The zone as all folders of a process share it: feeds, pushes and the way to the server. It knows no folder and no store.
        .target(name: "RemoteZone", dependencies: ["CloudKitClient", "CloudKitWire", "SyncTiming"]),
        // What left the folder: what is kept of it, and how it comes back.
        .target(
            name: "FolderHistory",
            dependencies: [
                "FolderSettings", "FolderWriting", "LocalFolder", "StateRows", "StateStorage", "SyncModel",
                "SyncTiming",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // What is known of a folder and its zone: the trees and the rows behind them, changed in one place.
        .target(
            name: "FolderKnowledge",
            dependencies: [
                "CloudKitWire", "FileCustody", "FolderSettings", "RecordMapping", "RecordPaths", "RecordTrees",
                "StateRows", "StateStorage", "SyncModel", "SyncPlanning", "WireCoding",
            ]
        ),
        // What a daemon is asked, and what it answers.
        .target(
            name: "FolderControl",
            dependencies: [
                "FolderSettings", "LocalFolder", "StateRows", "SyncModel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // What is wrong, and the way out, in words for people.
        .target(
            name: "ProblemSentences",
            dependencies: [
                "CloudKitClient", "CloudKitWire", "FolderSettings", "FolderWriting", "LocalFolder", "RecordMapping",
                "SyncModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // From records to files: what is fetched, composed and put into the folder.
        .target(
            name: "RecordReceiving",
            dependencies: [
                "CloudKitClient", "CloudKitWire", "DocumentMerging", "FileCustody", "FolderKnowledge", "FolderSettings",
                "FolderWriting", "LocalFolder", "LosslessJSON", "ProblemSentences", "RecordMapping", "RecordPaths",
                "RecordTrees", "RequestPacing", "StateRows", "SyncModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // From files to records: what is sent, in which order, and how it goes.
        .target(
            name: "RecordSending",
            dependencies: [
                "CloudKitClient", "CloudKitWire", "FileCustody", "FolderKnowledge", "FolderSettings", "FolderWriting",
                "LocalFolder", "LosslessJSON", "ProblemSentences", "RecordMapping", "RecordPaths", "RecordTrees",
                "RequestPacing", "StateRows", "StateStorage", "SyncModel", "WireCoding",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // The system's allocator.
        .systemLibrary(name: "CMalloc", providers: [.apt(["libc6-dev"])]),
        // What the parts of a session share: what is handed in, what was stored and told, what went wrong.
        .target(
            name: "SessionCore",
            dependencies: [
                "CloudKitClient", "CloudKitWire", "FileCustody", "FolderControl", "FolderHistory", "FolderKnowledge",
                "FolderSettings", "FolderWatching", "FolderWriting", "LocalFolder", "ProblemSentences", "RecordMapping",
                "RecordPaths", "RecordReceiving", "RecordSending", "RecordTrees", "RemoteZone", "RequestPacing",
                "StateRows", "StateStorage", "SyncModel", "SyncPlanning", "SyncTiming",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Looks at the folder, and takes what it finds into the local tree.
        .target(
            name: "FolderObserving",
            dependencies: [
                "CloudKitWire", "FolderKnowledge", "FolderSettings", "LocalFolder", "LosslessJSON", "ProblemSentences",
                "RecordMapping", "RecordReceiving", "RecordTrees", "SessionCore", "StateRows", "SyncModel",
                "SyncTiming",
                .product(name: "BitCollections", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // The way to the zone, and what changed in it.
        .target(
            name: "ZoneFetching",
            dependencies: [
                "CloudKitClient", "CloudKitQueries", "CloudKitWire", "FolderControl", "FolderKnowledge",
                "FolderObserving", "FolderSettings", "ProblemSentences", "RecordSending", "RecordTrees", "RemoteZone",
                "RequestPacing", "SessionCore", "StateRows", "StateStorage", "SyncModel", "SyncPlanning", "SyncTiming",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // What is to be done, and how it is done on either side.
        .target(
            name: "SyncActions",
            dependencies: [
                "CloudKitClient", "CloudKitWire", "FileCustody", "FolderKnowledge", "FolderObserving", "FolderSettings",
                "FolderWriting", "LocalFolder", "ProblemSentences", "RecordMapping", "RecordPaths", "RecordReceiving",
                "RecordSending", "RecordTrees", "RequestPacing", "SessionCore", "StateRows", "SyncModel",
                "SyncPlanning", "SyncTiming", "ZoneFetching",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // One session for each folder: the cycle, and how the folder stands.
        .target(
            name: "SyncEngine",
            dependencies: [
                "CMalloc", "CloudKitClient", "CloudKitWire", "FolderControl", "FolderHistory", "FolderKnowledge",
                "FolderObserving", "FolderSettings", "FolderWriting", "LocalFolder", "ProblemSentences",
                "RecordMapping", "RecordPaths", "RecordTrees", "RemoteZone", "SessionCore", "StateRows", "StateStorage",
                "SyncActions", "SyncModel", "SyncPlanning", "SyncTiming", "ZoneFetching",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // Sessions as a service: folders that are opened, pushes, the network, and whoever asks.
        .target(
            name: "SyncService",
            dependencies: [
                "CloudKitClient", "CloudKitQueries", "CloudKitSchema", "CloudKitWire", "FolderControl",
                "FolderKnowledge", "FolderSettings", "FolderWatching", "FolderWriting", "LocalFolder", "MappedMemory",
                "NetworkWatching", "ProblemSentences", "RecordMapping", "RemoteZone", "RequestPacing", "SessionCore",
                "StateRows", "StateStorage", "SyncEngine", "SyncModel", "SyncTiming", "ZoneFetching",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // The server: of ours only the protocol.
        .target(
            name: "CloudKitServer",
            dependencies: [
                "CloudKitQueries", "CloudKitSchema", "CloudKitWire", "DatabaseReading", "LosslessJSON", "WireCoding",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // The program.
        .target(
            name: "SyncCommands",
            dependencies: [
                "CloudKitClient", "CloudKitQueries", "CloudKitSchema", "CloudKitServer", "CloudKitWire",
                "DocumentMerging", "FolderControl", "FolderHistory", "FolderSettings", "FolderWriting", "LocalFolder",
                "LosslessJSON", "ProblemSentences", "RecordMapping", "RecordPaths", "StateRows", "StateStorage",
                "SyncEngine", "SyncModel", "SyncService", "WireCoding", "ZoneFetching",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(name: "zonefolder", dependencies: ["SyncCommands"]),
        // Whole devices and a server on simulated time, disk and network.
        .target(
            name: "SyncSimulation",
            dependencies: [
                "CloudKitClient", "CloudKitServer", "CloudKitWire", "FolderControl", "FolderKnowledge",
                "FolderSettings", "FolderWatching", "FolderWriting", "LocalFolder", "LosslessJSON", "RecordTrees",
                "RemoteZone", "SessionCore", "StateRows", "StateStorage", "SyncEngine", "SyncModel", "SyncPlanning",
                "SyncService", "SyncTiming", "WireCoding",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .executableTarget(
            name: "zonefolder-simulate",
            dependencies: [
                "SyncSimulation", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        .target(name: "CFaultInjector", path: "Tests/CFaultInjector"),
        .target(name: "SeededRandomness", path: "Tests/SeededRandomness"),
        .testTarget(name: "SyncModelTests", dependencies: ["SyncModel"]),
        .testTarget(name: "LosslessJSONTests", dependencies: ["SeededRandomness", "LosslessJSON"]),
        .testTarget(name: "CloudKitSchemaTests", dependencies: ["SeededRandomness", "CloudKitSchema"]),
        .testTarget(name: "FileCustodyTests", dependencies: ["FileCustody", "SyncModel"]),
        .testTarget(
            name: "SyncPlanningTests",
            dependencies: [
                "FileCustody", "RecordTrees", "SeededRandomness", "SyncModel", "SyncPlanning",
            ]),
        .testTarget(
            name: "CloudKitWireTests",
            dependencies: [
                "CloudKitQueries", "CloudKitWire", "LosslessJSON", "SeededRandomness", "WireCoding",
            ]),
        .testTarget(
            name: "RecordMappingTests",
            dependencies: [
                "CloudKitSchema", "CloudKitWire", "DocumentMerging", "LosslessJSON", "RecordMapping", "RecordPaths",
                "SeededRandomness", "SyncModel", "WireCoding",
            ]),
        .testTarget(
            name: "SyncSimulationTests",
            dependencies: [
                "CloudKitWire", "FolderWriting", "LocalFolder", "SyncModel", "SyncSimulation",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Mutants", "Scripts"]),
        .testTarget(name: "FolderWatchingTests", dependencies: ["FolderWatching", "SyncModel"]),
        .testTarget(
            name: "MappedMemoryTests",
            dependencies: [
                "MappedMemory", "RecordTrees", "SyncModel", "SyncPlanning",
            ]),
        .testTarget(name: "NetworkWatchingTests", dependencies: ["NetworkWatching"]),
        .testTarget(
            name: "LocalFolderTests",
            dependencies: [
                "FolderWriting", "LocalFolder", "SeededRandomness", "SyncModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "CloudKitClientTests",
            dependencies: [
                "CloudKitClient", "CloudKitQueries", "CloudKitWire", "RequestPacing", "SeededRandomness", "WireCoding",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .testTarget(
            name: "StateStorageTests",
            dependencies: [
                "FolderSettings", "StateDatabase", "StateRows", "StateStorage", "SyncModel",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "CloudKitServerTests",
            dependencies: [
                "CloudKitQueries", "CloudKitSchema", "CloudKitServer", "CloudKitWire", "LosslessJSON",
                "SeededRandomness", "WireCoding",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "FolderKnowledgeTests",
            dependencies: [
                "CloudKitWire", "FolderKnowledge", "FolderSettings", "RecordMapping", "RecordPaths", "RecordTrees",
                "SeededRandomness", "StateRows", "StateStorage", "SyncModel", "SyncPlanning",
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "RecordReceivingTests",
            dependencies: [
                "CloudKitWire", "FolderWriting", "LocalFolder", "RecordMapping", "RecordReceiving", "RecordTrees",
                "SyncModel", "SyncPlanning", .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "RecordSendingTests",
            dependencies: ["CloudKitClient", "RecordSending", "SeededRandomness", "SyncModel"]),
        .testTarget(
            name: "FolderHistoryTests",
            dependencies: [
                "FolderHistory", "FolderWriting", "LocalFolder", "StateRows", "SyncModel",
            ]),
        .testTarget(
            name: "FolderControlTests",
            dependencies: [
                "FolderControl", "FolderSettings", "StateStorage", "SyncModel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "SyncEngineTests",
            dependencies: [
                "CloudKitClient", "CloudKitQueries", "CloudKitSchema", "CloudKitServer", "CloudKitWire",
                "FolderControl", "FolderHistory", "FolderKnowledge", "FolderObserving", "FolderSettings",
                "FolderWriting", "LocalFolder", "LosslessJSON", "ProblemSentences", "RecordMapping", "RecordPaths",
                "RecordSending", "RecordTrees", "RemoteZone", "SeededRandomness", "SessionCore", "StateRows",
                "StateStorage", "SyncActions", "SyncEngine", "SyncModel", "SyncPlanning", "SyncService", "SyncTiming",
                "WireCoding", "ZoneFetching",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "SyncCommandsTests",
            dependencies: [
                "CloudKitQueries", "CloudKitSchema", "CloudKitServer", "CloudKitWire", "FolderControl", "LocalFolder",
                "StateRows", "StateStorage", "SyncCommands", "SyncModel", "WireCoding",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CFolderCalls", "CloudKitServer", "CloudKitWire", "LosslessJSON", "NetworkWatching", "SeededRandomness",
                "StateRows", "StateStorage", "zonefolder",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Upgrade/States"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .treatAllWarnings(as: .error),
        ]
}

// What is tested is optimized, as it is where people run it; to optimize the tests as well makes none of them faster, and
// takes a quarter of the build.
for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}
