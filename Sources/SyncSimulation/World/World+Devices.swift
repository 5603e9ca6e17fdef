import CloudKitServer
import FolderWriting
import LocalFolder
import Logging
import SyncEngine
import SyncModel
import SystemPackage

/// The processes of a world's devices: how they begin and end, and what meets the calls of their disks.
extension World {
    func start(_ device: SimulatedDevice) {
        let life = Life()
        let number = device.number
        trace.note("\(time.steady) device\(number) starts")
        let network = SimulatedNetwork(
            to: server, time: time, random: device.random.split(),
            fate: { operation in self.fate(of: operation, from: number, life) },
            onAnswer: { operation, body, status, answer in
                self.answered(operation, body, status, answer, to: number)
            })
        do {
            let logger = logger(of: number)
            let omission = try device.start(
                on: executor, life: life, network: network, logger: logger,
                onCall: { call throws(Errno) in try self.beforeCall(call, on: number, life) },
                onDifference: planDifference(of: number))
            if let omission { fail(.storedReasons, "device\(number) would plan as it starts: \(omission)") }
        } catch {
            trace.note("\(time.steady) device\(number) cannot start: \(error)")
            device.kill()
            device.startsAt = time.steady + .seconds(5)
        }
    }

    /// What is done with a plan that a start would not make; `nil`: it is not looked for.
    private func planDifference(of number: Int) -> (@Sendable (String) -> Void)? {
        guard checksPlans else { return nil }
        return { difference in self.fail(.storedReasons, "device\(number) plans \(difference)") }
    }

    /// Silent, but for whoever reads the whole trace.
    private func logger(of number: Int) -> Logger {
        guard trace.limit == nil else { return Self.logger }
        return Logger(label: "device\(number)") { _ in
            TraceLog { line in self.trace.remark("\(self.time.steady) device\(number) logs \(line)") }
        }
    }

    func kill(_ device: SimulatedDevice) {
        device.kill()
        device.startsAt = time.steady + .milliseconds(500 + random.below(4000))
        checkState(of: device)
    }

    /// Before each call that a device's disk gets.
    private func beforeCall(_ call: DiskCall, on number: Int, _ life: Life) throws(Errno) {
        if life.isDead { throw .ioError }
        let device = devices[number]
        if call.isChange {
            device.changes += 1
            device.lastChange = call
        }
        if let armed = device.armed, armed.event.isAwaiting(call) {
            if armed.callsLeft <= 1 {
                device.armed = nil
                perform(armed.event)
                if life.isDead { throw .ioError }
            } else {
                device.armed!.callsLeft -= 1
            }
        }
        if case .write(let inode) = call { checkWrite(inode, device) }
        if case .read(let inode) = call, let bad = device.badFile, bad.inode == inode, time.steady < bad.until {
            throw .ioError
        }
        if let failing = device.failing, failing.fault.concerns(call) {
            device.failing = failing.callsLeft > 1 ? (failing.fault, failing.callsLeft - 1) : nil
            throw failing.fault.errno
        }
    }

    /// Nothing of ours writes into a file that people see.
    private func checkWrite(_ inode: DiskTree.Inode, _ device: SimulatedDevice) {
        let isSeen = device.disk.act { state -> Bool in
            state.tree.nodes[inode]?.places.contains { place in
                state.tree.path(of: place.directory).map { $0.first != SimulatedDisk.stateName } ?? false
            } ?? false
        }
        if isSeen { fail(.oldOrNew, "device\(device.number) writes into a file that stands in the folder") }
    }

    /// Ends all that runs, so that nothing of the world is left.
    func end() {
        for device in devices { device.kill() }
        // The dead notice that they are at their next step.
        for _ in 0..<10_000 {
            if executor.step({ random.below($0) }) { continue }
            guard let next = time.nextDue else { break }
            time.advance(to: next)
        }
    }
}

extension WorldEvent {
    /// Whether a call of the disk counts among those that it waits for.
    fileprivate func isAwaiting(_ call: DiskCall) -> Bool {
        if case .atRename = timing { call == .rename } else { true }
    }
}

extension DiskFault {
    var errno: Errno {
        switch self {
        case .inputOutput: .ioError
        case .noSpace: .noSpace
        case .noPermission: .permissionDenied
        }
    }

    /// Whether a call fails by it.
    func concerns(_ call: DiskCall) -> Bool {
        switch self {
        case .inputOutput: true
        case .noSpace:
            switch call {
            case .makeFile, .makeDirectory, .write, .rename: true
            default: false
            }
        case .noPermission:
            switch call {
            case .look, .list, .makeFile, .rename, .remove: true
            default: false
            }
        }
    }
}
