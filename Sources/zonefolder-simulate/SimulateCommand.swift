import ArgumentParser
import SyncSimulation

#if canImport(Glibc)
    import Glibc
#endif

/// Runs simulated worlds by seed.
@main
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zonefolder-simulate",
        abstract: "Run whole devices and a server on simulated time, disks and network, by seed.",
        discussion: """
            What is printed last is the same for the same seeds, in every run and every process, but for the time that it \
            took. The exit status is 0 where every promise was kept, 1 where one was broken.
            """)

    @Option(help: "The seeds: one, or a range as in 1..2000.")
    var seeds = "1..100"

    @Option(help: "Devices in each world.")
    var devices = 3

    @Option(help: "Events in each world.")
    var steps = 200

    @Flag(help: "Few events in each world instead, close upon each other and about the same few files.")
    var dense = false

    @Flag(help: "One person acts at a time, and all is at rest in between: what they do is what all have then.")
    var calm = false

    @Flag(help: "The zone ends in each world, and the person of the first device alone answers for that.")
    var neverApprove = false

    @Flag(help: "In a third of the worlds people let files refer to each other.")
    var references = false

    @Flag(help: "In a third of the worlds people put links where files are.")
    var links = false

    @Flag(help: "Make each plan a second time, as after a start: it has to be the same.")
    var checkPlans = false

    @Flag(help: "Print all that happens.")
    var trace = false

    @Flag(help: "Make what fails as short as it goes, and print it as a script.")
    var shrink = false

    @Option(help: "Run the script in this file, as --shrink prints it, with the seed as its schedule.")
    var replay: String?

    func run() throws {
        let bounds = seeds.split(separator: ".", omittingEmptySubsequences: true).compactMap { UInt64($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else {
            throw ValidationError("'\(seeds)' is no range of seeds; give one as in 1..2000.")
        }
        try Self.makeRepeatable()
        var failed = 0
        var traces: UInt64 = 0
        let began = ContinuousClock.now
        for seed in first...last {
            let workload = try workload(of: seed)
            let outcome = Simulation.run(
                workload, schedule: seed, keepingLines: trace ? nil : 40, checksPlans: checkPlans)
            traces = traces &* 31 &+ outcome.hash
            if trace { for line in outcome.lines { print(line) } }
            if let violation = outcome.violation {
                failed += 1
                print("seed \(seed): \(violation)")
                if shrink {
                    let short = Shrinker(schedule: seed).shrink(workload, breaking: violation.invariant)
                    print("# zonefolder-simulate --seeds \(seed) --replay FILE, FILE holding:")
                    print(short.script)
                }
            }
        }
        let took = ContinuousClock.now - began
        let seconds = took.components.seconds
        print(
            "\(last - first + 1) worlds of \(kind) in \(seconds) s: \(failed) failed, "
                + "traces \(String(traces, radix: 16))")
        if failed > 0 { throw ExitCode(1) }
    }

    private func workload(of seed: UInt64) throws -> Workload {
        if let replay { return try Workload(script: Self.text(of: replay)) }
        if calm { return Workload(calmSeed: seed, devices: devices, steps: min(steps, 16)) }
        let workload =
            dense
            ? Workload(denseSeed: seed, devices: devices)
            : Workload(seed: seed, devices: devices, steps: steps, refers: references, links: links)
        return neverApprove ? workload.withPeopleWhoNeverApprove : workload
    }

    private var kind: String {
        if replay != nil { return "a script" }
        if calm { return "\(devices) devices and people who act one at a time" }
        return "\(devices) devices and \(dense ? "a dense workload" : "\(steps) steps")"
            + (references ? ", some with references" : "")
            + (links ? ", some with links" : "")
            + (neverApprove ? ", a zone that ends and people who never approve" : "")
    }

    private static func text(of file: String) throws -> String {
        guard let stream = fopen(file, "r") else { throw ValidationError("\(file) cannot be read.") }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Swift orders sets and dictionaries otherwise in each process unless it is told not to, before it begins.
    private static func makeRepeatable() throws {
        guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", arguments)
        throw ValidationError("The program cannot start itself anew.")
    }
}
