import CloudKitClient
import CloudKitServer
import CloudKitWire
import Foundation
import Logging
import SeededRandomness
import ServiceLifecycle
import Synchronization
import SystemPackage
import Testing

/// The disk of a process: what one life stores, the next one reads.
private final class Disk: Sendable {
    private let token: Mutex<WebAuthToken>
    init(_ token: String) { self.token = Mutex(WebAuthToken(token)) }
    var current: WebAuthToken { token.withLock { $0 } }
    func write(_ new: WebAuthToken) { token.withLock { $0 = new } }
}

/// One life of a process: once it was killed, it neither sends nor hears nor writes anything.
private final class Life: WebAuthTokenStore, CloudKitTransport {
    struct Killed: Error {}

    private let disk: Disk
    private let network: HTTPTransport
    /// Steps that are left to live: requests sent, answers received, tokens written.
    private let stepsLeft: Mutex<Int>
    let refusals = Mutex(0)
    /// Whether the service takes nobody for signed in.
    let refusesAll = Mutex(false)

    init(on disk: Disk, _ network: HTTPTransport, steps: Int) {
        self.disk = disk
        self.network = network
        stepsLeft = Mutex(steps)
    }

    /// - Throws: ``Killed`` at the step at which this life ends, and ever after.
    private func step() throws {
        let left = stepsLeft.withLock { left in
            left -= 1
            return left
        }
        guard left >= 0 else { throw Killed() }
    }

    func current() async throws -> WebAuthToken? {
        disk.current
    }

    func store(_ token: WebAuthToken) async throws {
        try step()
        // A kill before the write leaves the old token, one after it the new one.
        disk.write(token)
        try step()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        do { try step() } catch { throw .unreachable("killed") }
        if refusesAll.withLock({ $0 }) { return .refusal("AUTHENTICATION_REQUIRED", status: 421) }
        let response = try await network.send(request)
        do { try step() } catch { throw .connectionLost(requestMayHaveArrived: true) }
        if response.status == 421 || response.status == 401 { refusals.withLock { $0 += 1 } }
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        throw .unreachable("nothing is downloaded here")
    }
}

@Suite("Nobody is signed out by a crash (protocol §2.1, §10.1)", .timeLimit(.minutes(30)))
struct NeverSignedOutTests {
    private static func withServer(
        _ body: (_ baseURL: String, NewUser, HTTPTransport) async throws -> Void
    ) async throws {
        let place = FilePath(NSTemporaryDirectory()).appending("zonefolder-tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: place.string) }
        var configuration = WebServicesServer.Configuration(dataDirectory: place)
        configuration.port = 0
        configuration.store.webAuthTokenGrace = .zero
        let server = try WebServicesServer(configuration: configuration, logger: EngineWorld.quiet)
        let user = try server.store.addUser(name: "ada", container: "iCloud.example", environment: "development")
        let group = ServiceGroup(services: [server], logger: EngineWorld.quiet)
        let running = Task { try await group.run() }
        // A busy machine may take long to connect; how long is not what is asked here.
        var timeouts = HTTPTransport.Timeouts()
        timeouts.connect = .seconds(300)
        timeouts.request = .seconds(300)
        let network = HTTPTransport(timeouts: timeouts)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(try await server.boundPort())", user, network))
        } catch {
            result = .failure(error)
        }
        try await network.shutdown()
        await group.triggerGracefulShutdown()
        try await running.value
        try result.get()
    }

    private static func database(_ baseURL: String, _ user: NewUser, _ life: Life) -> CloudKitDatabase {
        CloudKitDatabase(
            DatabaseAddress(
                container: "iCloud.example", environment: .development, scope: .private, baseURL: baseURL),
            session: WebAuthSession(apiToken: user.apiToken, store: life), transport: life, logger: EngineWorld.quiet)
    }

    private static func isRefusal(_ error: CloudKitError) -> Bool {
        error.code == .server(.authenticationRequired) || error.code == .server(.authenticationFailed)
    }

    @Test("100 requests at once while every older token is refused at once: each succeeds")
    func hundredAtOnce() async throws {
        try await Self.withServer { baseURL, user, network in
            let life = Life(on: Disk(user.webAuthToken), network, steps: .max)
            let database = Self.database(baseURL, user, life)
            for _ in 0..<3 {
                let failures = await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<100 {
                        group.addTask {
                            do {
                                _ = try await database.listZones()
                                return nil
                            } catch {
                                return "\(error)"
                            }
                        }
                    }
                    return await group.reduce(into: Set<String>()) { if let failure = $1 { $0.insert(failure) } }
                }
                #expect(failures.isEmpty)
            }
        }
    }

    @Test("A service that takes nobody for signed in for a while signs nobody out, also not one that is killed then")
    func refusesAllForAWhile() async throws {
        try await Self.withServer { baseURL, user, network in
            let disk = Disk(user.webAuthToken)
            for _ in 0..<3 {
                let life = Life(on: disk, network, steps: .max)
                let database = Self.database(baseURL, user, life)
                // Older tokens are kept by now, each of them void for good.
                for _ in 0..<10 { _ = try await database.listZones() }
                let good = disk.current
                life.refusesAll.withLock { $0 = true }
                for _ in 0..<3 {
                    await #expect(throws: CloudKitError.self) { try await database.listZones() }
                    #expect(disk.current == good)
                }
                life.refusesAll.withLock { $0 = false }
                _ = try await database.listZones()
                #expect(life.refusals.withLock { $0 } == 0, "The newest token was the first to be tried")
            }
        }
    }

    @Test(
        "Killed at any step with 100 requests under way, 20 lives in a row: the next life is signed in",
        arguments: 1...3)
    func kills(seed: UInt64) async throws {
        try await Self.withServer { baseURL, user, network in
            let disk = Disk(user.webAuthToken)
            var random = SeededGenerator(seed: seed)
            for _ in 0..<20 {
                let life = Life(on: disk, network, steps: Int(random.next() % UInt64(250)))
                let database = Self.database(baseURL, user, life)
                let signedOut = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<100 {
                        group.addTask {
                            do throws(CloudKitError) {
                                _ = try await database.listZones()
                                return false
                            } catch {
                                return Self.isRefusal(error)
                            }
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(signedOut == 0)
            }
            let last = Life(on: disk, network, steps: .max)
            let caller = try await Self.database(baseURL, user, last).caller()
            #expect(caller.userRecordName == user.userRecordName)
            #expect(last.refusals.withLock { $0 } == 0, "The token on the disk itself was good")
        }
    }
}
