import CloudKitClient
import FolderSettings
import HTTPTypes
import StateStorage
import SyncTiming
import Synchronization
import Testing

@testable import SyncEngine
@testable import SyncService

@Suite("A limit on what a folder uses of the network")
struct PacedTransportTests {
    @Test("An upload takes as long as its bytes do, and is read in pieces that keep the connection alive")
    func upload() async throws {
        let line = Line()
        var limits = TransferLimits()
        limits.uploadBytes = 20_000
        let transport = PacedTransport(transport: line, limits: limits, clock: line.clock)
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        _ = try await transport.send(request(.content, .stream(ByteSource(bytes: bytes))))
        #expect(line.sent == bytes)
        #expect(line.now == .seconds(4))
        #expect(line.longestSleep <= .seconds(1))

        // Small requests are charged as well.
        _ = try await transport.send(request(.api, .bytes(Array(repeating: 1, count: 20_000))))
        #expect(line.now == .seconds(5))
    }

    @Test("A download takes as long as its bytes do")
    func download() async throws {
        let line = Line(answer: Array(repeating: 7, count: 50_000))
        var limits = TransferLimits()
        limits.downloadBytes = 10_000
        let transport = PacedTransport(transport: line, limits: limits, clock: line.clock)
        let received = Mutex(0)
        _ = try await transport.download(request(.content, .none)) { bytes in received.withLock { $0 += bytes.count } }
        #expect(received.withLock(\.self) == 50_000)
        #expect(line.now == .seconds(4))
    }

    @Test("So many requests a second, and the courier's is none of them")
    func requests() async throws {
        let line = Line()
        var limits = TransferLimits()
        limits.requests = 2
        let transport = PacedTransport(transport: line, limits: limits, clock: line.clock)
        for _ in 0..<12 { _ = try await transport.send(request(.api, .none)) }
        #expect(line.now == .seconds(5))
        for _ in 0..<12 { _ = try await transport.send(request(.courier, .none)) }
        #expect(line.now == .seconds(5))
    }

    @Test("Once it is released nothing waits, and an upload that goes on breaks off as one that never arrived")
    func released() async throws {
        let line = Line(answer: Array(repeating: 7, count: 50_000))
        var limits = TransferLimits()
        (limits.uploadBytes, limits.downloadBytes, limits.requests) = (10_000, 10_000, 1)
        let transport = PacedTransport(transport: line, limits: limits, clock: line.clock)
        let source = ByteSource(length: 100_000) { offset, count in
            if offset >= 30_000 { transport.release() }
            return Array(repeating: 1, count: count)
        }
        await #expect {
            _ = try await transport.send(request(.content, .stream(source)))
        } throws: { error in
            let error = error as? TransportError
            return error?.code == .cancelled && error?.requestMayHaveArrived == false
        }
        #expect(line.sent.count == 30_000)
        let now = line.now
        #expect(now == .seconds(2))
        for _ in 0..<5 { _ = try await transport.send(request(.api, .bytes(Array(repeating: 1, count: 20_000)))) }
        let received = Mutex(0)
        _ = try await transport.download(request(.content, .none)) { bytes in received.withLock { $0 += bytes.count } }
        #expect(received.withLock(\.self) == 50_000 && line.now == now)
    }

    @Test("Where there is no limit there is no wait, and no other transport")
    func unlimited() {
        let line = Line()
        #expect(PacedTransport.pacing(line, by: TransferLimits(), clock: line.clock) is Line)
    }

    private func request(_ lane: TransportRequest.Lane, _ body: TransportRequest.Body) -> TransportRequest {
        TransportRequest(lane: lane, method: .post, url: "https://notes.example.org/", body: body)
    }

    /// A network of no duration, and a clock on which time passes only where somebody rests.
    private final class Line: CloudKitTransport {
        private struct State {
            var now = Duration.zero
            var longest = Duration.zero
            var sent: [UInt8] = []
        }

        private let state = Mutex(State())
        private let answer: [UInt8]

        init(answer: [UInt8] = []) { self.answer = answer }

        var now: Duration { state.withLock(\.now) }
        var longestSleep: Duration { state.withLock(\.longest) }
        var sent: [UInt8] { state.withLock(\.sent) }

        var clock: SessionClock {
            SessionClock(wall: SessionClock.system.wall, steady: { self.now }) { moment in
                self.state.withLock { state in
                    state.longest = max(state.longest, moment - state.now)
                    state.now = max(state.now, moment)
                }
            }
        }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            if case .stream(let source) = request.body {
                var offset: Int64 = 0
                while offset < source.length {
                    let bytes: [UInt8]
                    do { bytes = try await source.read(offset, 256 << 10) } catch { throw .sourceFailed(error) }
                    state.withLock { $0.sent += bytes }
                    offset += Int64(bytes.count)
                }
            }
            return TransportResponse(status: 200)
        }

        func download(
            _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
        ) async throws(TransportError) -> TransportResponse {
            var rest = answer[...]
            while !rest.isEmpty {
                do { try await sink(Array(rest.prefix(8192))) } catch { throw .sinkFailed(error) }
                rest = rest.dropFirst(8192)
            }
            return TransportResponse(status: 200)
        }
    }
}
