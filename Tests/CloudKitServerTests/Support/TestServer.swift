import AsyncHTTPClient
import CloudKitServer
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Synchronization
import SystemPackage

/// A running server with one user, spoken to over HTTP in the protocol's own words.
final class TestServer: Sendable {
    let server: WebServicesServer
    let port: Int
    let user: NewUser
    /// The user's newest web auth token, taken from every answer as a client does.
    let token: Mutex<String>

    static let container = "iCloud.example"

    /// Goes nowhere by itself: where an answer leads is what tests look at.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    init(server: WebServicesServer, port: Int, user: NewUser) {
        self.server = server
        self.port = port
        self.user = user
        token = Mutex(user.webAuthToken)
    }

    var currentToken: String { token.withLock { $0 } }

    func use(_ webAuthToken: String) {
        token.withLock { $0 = webAuthToken }
    }

    struct Reply {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
        var json: TestJSON { TestJSON(body) }
        var text: String { String(decoding: body, as: UTF8.self) }
        var nextToken: String? { header("X-Apple-CloudKit-Web-Auth-Token") }
        var code: String? { json["serverErrorCode"].string }
        var reason: String? { json["reason"].string }
        subscript(key: String) -> TestJSON { json[key] }
        func header(_ name: String) -> String? { headers.first(name: name) }
    }

    /// Posts a body to an operation of the private database.
    func post(_ operation: String, _ body: String = "{}") async throws -> Reply {
        try await send("POST", "/database/1/\(Self.container)/development/private/\(operation)", body)
    }

    func get(_ operation: String, database: String = "private") async throws -> Reply {
        try await send("GET", "/database/1/\(Self.container)/development/\(database)/\(operation)", nil)
    }

    /// Sends a request with credentials, and keeps the token that its answer brings.
    func send(_ method: String, _ path: String, _ body: String?) async throws -> Reply {
        let query = (path.contains("?") ? "&" : "?") + credentials()
        let reply = try await sendRaw(method, path + query, body.map { Array($0.utf8) })
        if let next = reply.nextToken { token.withLock { $0 = next } }
        return reply
    }

    func credentials(webAuthToken: String? = nil) -> String {
        let token = webAuthToken ?? token.withLock { $0 }
        return "ckAPIToken=\(user.apiToken)&ckWebAuthToken=\(encoded(token))"
    }

    /// Sends a request as it is given, to this server's path or to a whole URL.
    func sendRaw(
        _ method: String, _ target: String, _ body: [UInt8]?, contentType: String = "text/plain",
        headers: [String: String] = [:]
    ) async throws -> Reply {
        var request = HTTPClientRequest(
            url: target.hasPrefix("http") ? target : "http://127.0.0.1:\(port)\(target)")
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            request.headers.add(name: "Content-Type", value: contentType)
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let response = try await Self.client.execute(request, timeout: .seconds(120))
        let bytes = try await response.body.collect(upTo: 1 << 28)
        return Reply(
            status: Int(response.status.code), headers: response.headers, body: Array(bytes.readableBytesView))
    }

    /// Makes the zone that most tests work in.
    func makeZone(_ name: String = "Folder") async throws {
        _ = try await post(
            "zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#)
    }

    /// `records/modify` in the zone, not atomic unless said so.
    func modify(
        _ operations: String, atomic: String = #""atomic":false,"#, zone: String = "Folder"
    ) async throws -> Reply {
        try await post("records/modify", #"{"zoneID":{"zoneName":"\#(zone)"},\#(atomic)"operations":[\#(operations)]}"#)
    }

    /// `changes/zone` of the zone.
    func changes(since token: String? = nil, _ more: String = "") async throws -> TestJSON {
        let token = token.map { #","syncToken":"\#($0)""# } ?? ""
        return try await post("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Folder"}\#(token)\#(more)}]}"#)[
            "zones"][0]
    }
}

func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
}

/// A directory that is gone afterwards.
func withTemporaryDirectory<Result>(_ body: (FilePath) async throws -> Result) async throws -> Result {
    let path = FilePath(NSTemporaryDirectory()).appending("zonefolder-server-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    return try await body(path)
}

/// Runs a server in a directory of its own, or in a given one, and stops it gracefully afterwards.
@discardableResult
func withServer<Result: Sendable>(
    in directory: FilePath? = nil, clock: ManualClock? = nil, logger: Logger? = nil,
    _ configure: @Sendable (inout WebServicesServer.Configuration) -> Void = { _ in },
    _ body: @Sendable (TestServer) async throws -> Result
) async throws -> Result {
    guard let directory else {
        return try await withTemporaryDirectory {
            try await withServer(in: $0, clock: clock, logger: logger, configure, body)
        }
    }
    var configuration = WebServicesServer.Configuration(dataDirectory: directory)
    configuration.port = 0
    if let clock { configuration.surroundings = clock.surroundings }
    configure(&configuration)
    var quiet = Logger(label: "test")
    quiet.logLevel = .error
    let logger = logger ?? quiet
    let server = try WebServicesServer(configuration: configuration, logger: logger)
    let user = try server.store.addUser(name: "ada", container: TestServer.container, environment: "development")
    let group = ServiceGroup(services: [server], logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let outcome: Swift.Result<Result, any Error>
        do {
            let running = TestServer(server: server, port: try await server.boundPort(), user: user)
            outcome = .success(try await body(running))
        } catch {
            outcome = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return try outcome.get()
    }
}

func readFile(_ path: FilePath) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path.string)))
}

func regularFiles(below path: FilePath) throws -> Int {
    let manager = FileManager.default
    return try manager.subpathsOfDirectory(atPath: path.string).count { name in
        var isDirectory: ObjCBool = false
        return manager.fileExists(atPath: path.appending(name).string, isDirectory: &isDirectory)
            && !isDirectory.boolValue
    }
}

/// A buffer as a body that comes in one piece, its length unsaid.
struct OnePiece: AsyncSequence, Sendable {
    var buffer: ByteBuffer

    struct AsyncIterator: AsyncIteratorProtocol {
        var buffer: ByteBuffer?

        mutating func next() async -> ByteBuffer? {
            defer { buffer = nil }
            return buffer
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
}

func permissions(_ path: FilePath) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int ?? 0
}
