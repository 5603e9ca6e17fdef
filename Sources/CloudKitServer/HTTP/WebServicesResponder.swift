import CloudKitWire
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import WireCoding

/// A connection, as far as answering its requests needs it.
struct ConnectionContext: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}

/// Answers requests: reads them within their limits, lets the store do the work off the event loop, and writes the answer.
struct WebServicesResponder: HTTPResponder {
    let server: WebServicesServer

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        let target = RequestTarget(path: request.uri.path)
        var observed = ObservedRequest(
            method: request.method.rawValue, operation: target?.name ?? "unknown", bodyBytes: 0, items: 0)
        if case .database(let container, _, let scope, _) = target {
            observed.container = container
            observed.database = scope
        }
        do {
            var response: Response
            do {
                response = try await answer(request, target, context, &observed)
            } catch  where Answer.isOfFiles(error) {
                response = Answer.plainFailure(error, server.logger).response
            }
            // Whatever a request is answered once its head was read, errors too. What is no HTTP, or has too large a head, is
            // answered before it comes here (`RequestGuard`): pages see only that it failed.
            if isForPages(target, request) { CrossOrigin.open(&response.headers) }
            server.logger.debug(
                "Answered a request",
                metadata: [
                    "method": "\(observed.method)", "operation": "\(observed.operation)", "items": "\(observed.items)",
                    "status": "\(response.status.code)",
                ])
            await server.configuration.observe?(.answered(observed, status: response.status.code))
            return response
        } catch let cut as ConnectionCut {
            try? await context.channel.close()
            throw cut
        }
    }

    /// Whether pages of other origins may read an answer; also that a path leads nowhere, but nothing about faults, which are
    /// for whoever tests.
    private func isForPages(_ target: RequestTarget?, _ request: Request) -> Bool {
        target?.isForPages ?? (server.faultControl?.owns(request.uri.path) != true)
    }

    private func answer(
        _ request: Request, _ target: RequestTarget?, _ context: ConnectionContext, _ observed: inout ObservedRequest
    ) async throws -> Response {
        let uuid = server.configuration.surroundings.uuid()
        if let control = server.faultControl, control.owns(request.uri.path) {
            let body = try await self.body(of: request) ?? []
            return control.answer(request.method.rawValue, request.uri.path, body, uuid: uuid).response
        }
        // Before anything is asked of the target: a browser sends nothing of what the request itself will have.
        if request.method == .options, isForPages(target, request) { return CrossOrigin.preflight }
        guard let target else {
            await server.configuration.observe?(.received(observed))
            return Answer.error(.noHandler(request.uri.path), uuid: uuid).response
        }
        guard target.methods.contains(request.method.rawValue) else {
            var answer = Answer.error(
                .badRequest("\(target.name) is called with \(target.methods.joined(separator: " or "))"),
                uuid: uuid, status: 405)
            answer.headers[.allow] = target.methods.joined(separator: ", ")
            return answer.response
        }
        var body: [UInt8] = []
        switch target {
        case .database, .device:
            guard let read = try await self.body(of: request) else {
                let limit = server.configuration.largestRequest
                return Answer.error(
                    .badRequest("the request is larger than the limit of \(limit) bytes"), uuid: uuid
                ).response
            }
            body = read
        default: break
        }
        observed.bodyBytes = body.count
        await server.configuration.observe?(.received(observed))
        let query = queryParameters(request.uri.query ?? "")
        let faults = try await faults(observed, target, query, body)
        if let instead = try await answerInstead(faults, baseURL: baseURL(of: request), uuid: uuid) { return instead }
        let response: Response
        switch target {
        case .database, .device:
            let call = OperationCall(
                store: server.store, logger: server.logger, target: target, query: query, body: body,
                baseURL: baseURL(of: request), uuid: uuid,
                origin: request.headers[.origin], signature: ServerSignature(of: request, body: body))
            let (answer, items) = try await perform(call, under: faults, over: context.channel)
            observed.items = items
            response = answer.response
        case .assetUpload:
            do {
                response = try await receiveAsset(request, &observed.bodyBytes)
            } catch  where Answer.isOfFiles(error) {
                response = Answer.failure(error, isSaving: true, uuid: uuid, server.logger).response
            }
        case .assetDownload:
            do {
                response = try await sendAsset(request, over: context.channel.eventLoop)
            } catch  where Answer.isOfFiles(error) {
                response = Answer.failure(error, isSaving: false, uuid: uuid, server.logger).response
            }
        case .courier: response = try await waitForPush(query, context)
        case .signIn: response = try await signIn(request, query, from: context.channel.remoteAddress)
        case .invitation: response = try await invitation(request, over: context.channel)
        }
        return try delivered(response, of: target.name, faults)
    }

    func baseURL(of request: Request) -> String {
        server.configuration.baseURL
            ?? "\(server.certificate == nil ? "http" : "https")://\(request.head.authority ?? "localhost")"
    }

    /// The whole body; `nil` where it is over the limit, which is known before reading where its length is given.
    private func body(of request: Request) async throws -> [UInt8]? {
        let limit = server.configuration.largestRequest
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { return nil }
        var body = ByteBuffer()
        for try await var chunk in request.body {
            guard body.readableBytes + chunk.readableBytes <= limit else { return nil }
            body.writeBuffer(&chunk)
        }
        return Array(body.readableBytesView)
    }

    private func waitForPush(_ query: [String: String], _ context: ConnectionContext) async throws -> Response {
        let store = server.store
        guard let token = query["tok"],
            let device = try await server.pool.runIfActive({ try store.device(ofPushToken: token) })
        else {
            return Answer.plain(410, "This push token is unknown or too old: create a new one.\n").response
        }
        let connection = try await context.channel.pipeline.handler(type: HangUpDetector.self).get()
        let (courier, timeout) = (server.courier, server.configuration.courierTimeout)
        let waiting = Task { await courier.next(for: device, within: timeout) }
        connection.onHangUp { waiting.cancel() }
        let push = await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            waiting.cancel()
        }
        connection.onHangUp(nil)
        if let push, connection.isHungUp { courier.deliver([Push(device: device, notification: push)]) }
        return Answer(status: 200, body: push?.encoded() ?? []).response
    }
}

/// Ends a connection without an answer.
struct ConnectionCut: Error {}

extension ErrorDictionary {
    static func noHandler(_ path: String) -> Self {
        Self(.notFound, reason: "could not find handler for endpoint '\(path)'")
    }
}
