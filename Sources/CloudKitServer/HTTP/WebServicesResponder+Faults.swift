import CloudKitWire
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix

extension WebServicesResponder {
    /// The faults that a request meets.
    func faults(
        _ observed: ObservedRequest, _ target: RequestTarget, _ query: [String: String], _ body: [UInt8]
    ) async throws -> [Fault] {
        guard let interceptor = server.faults else { return [] }
        let store = server.store
        let user = try await server.pool.runIfActive {
            try query["ckWebAuthToken"].flatMap { try store.userRecordName(ofWebAuthToken: $0) }
        }
        var zones = RawObject(body)?.zonesNamed ?? []
        let isOfOneZone = ["records/", "assets/"].contains(where: observed.operation.hasPrefix)
        if isOfOneZone, zones.isEmpty { zones = [ZoneID.defaultZoneName] }
        return await interceptor.faults(
            for: FaultableRequest(observed.operation, container: target.container, user: user, zones: zones))
    }

    /// What the client gets instead of having its request handled; `nil`: nothing.
    /// - Throws: ``ConnectionCut``.
    func answerInstead(_ faults: [Fault], baseURL: String, uuid: String) async throws -> Response? {
        for fault in faults {
            switch fault {
            case .delay(let duration): try await Task.sleep(for: duration)
            case .answer(let status, let contentType, let body, let headers):
                var answer = Answer(status: status, contentType: contentType, body: body)
                for (name, value) in headers {
                    if let name = HTTPField.Name(name) { answer.headers[name] = value }
                }
                return answer.response
            case .refuse(var error, let status, let retryAfterHeader):
                if error.serverErrorCode == .authenticationRequired, error.redirectURL == nil {
                    error.redirectURL = "\(baseURL)/sign-in"
                }
                var answer = Answer.error(error, uuid: uuid, status: status)
                if let retryAfterHeader { answer.headers[.retryAfter] = retryAfterHeader }
                return answer.response
            case .cutBeforeCommit: throw ConnectionCut()
            case .cutAfterCommit, .cutInBody, .slowBody, .endZones, .alter: break
            }
        }
        return nil
    }

    /// An answer on its way to the client, as its faults let it go.
    /// - Throws: ``ConnectionCut``.
    func delivered(_ response: Response, of operation: String, _ faults: [Fault]) throws -> Response {
        var response = response
        let parts = AnswerFaults(faults, operation: operation, now: server.store.surroundings.now())
        if parts.altersContent { response.body = response.body.altered { parts.content($0.readableBytesView) } }
        for fault in faults {
            switch fault {
            case .cutAfterCommit: throw ConnectionCut()
            case .cutInBody:
                response.body = response.body.inPieces { count in
                    count / 2
                } pause: {
                    throw ConnectionCut()
                }
            case .slowBody(let duration):
                response.body = response.body.inPieces { count in
                    max(1, count / 20)
                } pause: {
                    try await Task.sleep(for: duration / 20)
                }
            default: break
            }
        }
        return response
    }
}

extension ResponseBody {
    /// The same bytes in pieces, something done after each.
    fileprivate func inPieces(
        _ size: @escaping @Sendable (Int) -> Int, pause: @escaping @Sendable () async throws -> Void
    ) -> ResponseBody {
        let body = self
        return ResponseBody(contentLength: contentLength) { writer in
            // `write` consumes a writer of its own; all of them end at the same connection.
            try await body.write(PieceWriter(base: writer, size: size, pause: pause))
        }
    }
}

extension ResponseBody {
    /// As many bytes, but others.
    fileprivate func altered(_ alter: @escaping @Sendable (ByteBuffer) -> [UInt8]) -> ResponseBody {
        let body = self
        return ResponseBody(contentLength: contentLength) { writer in
            try await body.write(AlteringWriter(base: writer, alter: alter))
        }
    }
}

private struct AlteringWriter: ResponseBodyWriter {
    var base: any ResponseBodyWriter
    var alter: @Sendable (ByteBuffer) -> [UInt8]

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await base.write(ByteBuffer(bytes: alter(buffer)))
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await base.finish(trailingHeaders)
    }
}

private struct PieceWriter: ResponseBodyWriter {
    var base: any ResponseBodyWriter
    var size: @Sendable (Int) -> Int
    var pause: @Sendable () async throws -> Void

    mutating func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        let count = size(buffer.readableBytes)
        while let piece = buffer.readSlice(length: min(count, buffer.readableBytes)), piece.readableBytes > 0 {
            try await base.write(piece)
            try await pause()
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await base.finish(trailingHeaders)
    }
}

extension OperationCall {
    /// Performs the call on what its faults leave of it, and alters its answer.
    func perform(under faults: [Fault]) -> (Answer, items: Int) {
        let parts = AnswerFaults(faults, operation: target.name, now: store.surroundings.now())
        for case .endZones(let end, let zone) in faults { endZones(end, zone) }
        switch parts.request(body) {
        case .refused(let error): return (.error(error, uuid: uuid), 0)
        case .body(let altered):
            var call = self
            call.body = altered
            var (answer, items) = call.perform()
            if answer.status == 200 { answer.body = parts.answer(answer.body, to: body) }
            return (answer, items)
        }
    }

    private func endZones(_ end: ZoneEnd, _ zone: String?) {
        guard case .database(let container, let environment, _, _) = target,
            let user = try? query["ckWebAuthToken"].flatMap({ try store.userRecordName(ofWebAuthToken: $0) }),
            let caller = try? store.caller(
                userRecordName: user, container: container, environment: environment)
        else { return }
        do {
            try store.endZones(end, zone: zone, of: caller)
        } catch {
            logger.error("A zone could not be ended on demand", metadata: ["error": "\(error)"])
        }
    }
}

extension RawObject {
    /// The zones that a request's body is about, wherever its operation names them.
    var zonesNamed: [String] {
        var names = zoneName.map { [$0] } ?? []
        for entry in list("zones") {
            names.append(entry.zoneName ?? entry["zoneName"]?.string ?? ZoneID.defaultZoneName)
        }
        for operation in list("operations") {
            for key in ["zone", "subscription"] {
                if let name = operation[key].flatMap({ RawObject($0.bytes)?.zoneName }) { names.append(name) }
            }
        }
        return names
    }
}
