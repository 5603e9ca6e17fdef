extension DenseScene {
    /// A few events that have a meaning together.
    enum Motif {
        // People.
        case swap, renameAndSaveAnew, renameOver, copy, rotate, save, saveOnTwo, delete, deleteAndSave
        case attach, detach, renameAttached, apart, away
        // Their folders.
        case moveFolder, deleteFolder
        // Somebody else's app.
        case foreignSave, foreignAttach, foreignDelete, foreignReplace
        // Trouble.
        case kill, powerLoss, databaseError, badFile
        case diskFull, diskError, overflow, loseEvents, unmount
        case partition, flaky, serverFault
        // What changes the ground that all stands on.
        case ignore, otherAccount, endZone, approve
    }

    mutating func play(_ motif: Motif) {
        let one = device()
        switch motif {
        case .swap, .renameAndSaveAnew, .renameOver, .copy: playPair(motif, on: one)
        case .rotate: add(.rotate(random.pick(FileKind.allCases)), on: one, start())
        case .save: add(.save(random.pick(cast.all), style()), on: one, start())
        case .delete: add(.delete(random.pick(cast.all)), on: one, start())
        case .saveOnTwo:
            let file = random.pick(cast.all)
            add(.save(file, style()), on: one, start())
            add(.save(file, style()), on: device(besides: one), soon())
        case .deleteAndSave:
            let file = random.pick(cast.all)
            add(.delete(file), on: one, start())
            add(.save(file, style()), on: device(besides: one), random.once(in: 2) ? .after(3000) : soon())
        case .attach, .detach, .renameAttached: add(attachment(motif), on: one, start())
        case .apart: playApart(one)
        case .away: playAway(one)
        case .moveFolder:
            add(.moveFolder(random.pick(Workload.folders), to: random.pick(Workload.folders)), on: one, start())
        case .deleteFolder: add(.deleteFolder(random.pick(Workload.folders)), on: one, start())
        case .foreignSave, .foreignAttach, .foreignDelete, .foreignReplace: playForeign(motif, on: one)
        default: add(trouble(motif), on: one, start())
        }
    }

    // MARK: People

    /// What people do with two files.
    private mutating func playPair(_ motif: Motif, on one: Int) {
        let (json, attached, texts) = (cast.json, cast.attached, cast.texts)
        let (file, other) = random.pick([
            (json[0], json[1]), (attached[0], attached[1]), (texts[0], texts[1]), (texts[0], attached[0]),
            (attached[0], texts[0]), (attached[1], attached[0]),
        ])
        switch motif {
        case .swap:
            let aside = file.hasSuffix(".json") ? "Note/aside.json" : "docs/new.txt"
            add(.rename(file, to: aside), on: one, start())
            add(.rename(other, to: file), on: one, .after(1))
            add(.rename(aside, to: other), on: one, .after(1))
        case .copy: add(.copy(file, to: other), on: one, start())
        case .renameAndSaveAnew:
            add(.rename(file, to: other), on: one, start())
            add(.save(file, style()), on: one, soon())
        default:
            add(.rename(file, to: other), on: one, start())
            if random.once(in: 2) { add(.rename(other, to: file), on: device(besides: one), soon()) }
        }
    }

    private mutating func attachment(_ motif: Motif) -> Act {
        let json = random.pick(cast.json)
        return switch motif {
        case .detach: .detach(json, random.pick(AttachedFate.allCases))
        case .renameAttached: .renameAttached(json, to: random.pick(Workload.attachments))
        default: .attach(random.pick(cast.attached + [cast.texts[0]]), to: json)
        }
    }

    /// Two devices act on the same files while they know nothing of each other.
    private mutating func playApart(_ one: Int) {
        let (json, attached, texts) = (cast.json, cast.attached, cast.texts)
        let other = device(besides: one)
        add(.partition(milliseconds: random.pick([6000, 20_000])), on: other, start())
        let acts: [Act] = [
            .detach(json[0], .keep), .detach(json[0], .delete), .delete(attached[0]), .delete(json[0]),
            .renameAttached(json[0], to: random.pick(Workload.attachments)), .attach(attached[1], to: json[0]),
            .attach(attached[0], to: json[1]), .save(attached[0], .replace), .save(json[0], .replace),
            .rename(attached[0], to: texts[0]), .rename(texts[0], to: attached[0]), .rename(json[0], to: json[1]),
        ]
        let doers = [one, other, random.pick([one, other])]
        for (doer, act) in zip(doers, acts.shuffled(using: &random)) {
            add(act, on: doer, .after(random.pick([3, 10, 300])))
        }
    }

    /// One device does something while it is away, and gets to know all at once what another one did step by step.
    private mutating func playAway(_ one: Int) {
        let (json, attached, texts) = (cast.json, cast.attached, cast.texts)
        let other = device(besides: one)
        if random.once(in: 2) { add(.attach(attached[0], to: json[0]), on: other, start()) }
        if random.once(in: 2) { add(.copy(attached[0], to: attached[1]), on: other, .after(9000)) }
        add(.partition(milliseconds: random.pick([40_000, 90_000])), on: one, .after(9000))
        let here: [Act] = [
            .save(attached[0], .replace), .save(json[0], .replace), .rename(attached[0], to: attached[1]),
            .rename(attached[0], to: texts[0]), .delete(attached[1]), .detach(json[0], .keep),
            .save(texts[0], .replace),
        ]
        let there: [Act] =
            here + [
                .rename(attached[1], to: attached[0]), .rename(texts[0], to: attached[0]),
                .copy(attached[0], to: texts[0]),
                .renameAttached(json[0], to: attached[1]), .attach(attached[1], to: json[1]),
                .attach(attached[0], to: json[1]), .serverFault(.lostAnswer, requests: 1 + random.below(3)),
            ]
        add(random.pick(here), on: one, .after(50))
        for act in there.shuffled(using: &random).prefix(2 + random.below(3)) {
            add(act, on: other, .after(random.pick([1, 300, 5000, 12_000])))
        }
    }

    // MARK: Somebody else's app

    private mutating func playForeign(_ motif: Motif, on one: Int) {
        let name = Self.record(of: random.pick(cast.json))
        switch motif {
        case .foreignSave: add(.foreignSave(name), on: one, start())
        case .foreignAttach: add(.foreignAttach(name), on: one, start())
        case .foreignDelete: add(.foreignDelete(name), on: one, start())
        default:
            add(.foreignDelete(name), on: one, start())
            add(random.pick([.foreignSave(name), .foreignAttach(name)]), on: one, soon())
        }
        // A save makes its device ask the zone at once.
        guard !random.once(in: 3) else { return }
        let file = random.pick(cast.all + [Workload.paths.last!])
        add(.save(file, .replace), on: device(), .after(random.pick([0, 1, 100])))
    }

    // MARK: Trouble and turns

    private mutating func trouble(_ motif: Motif) -> Act {
        switch motif {
        case .kill: .kill
        case .powerLoss: .powerLoss
        case .databaseError: .databaseError
        case .badFile: .badFile(milliseconds: random.pick([4000, 20_000]))
        case .diskFull: .diskFull(milliseconds: random.pick([2000, 6000]))
        case .diskError: .diskError(random.pick(DiskFault.allCases), calls: 1 + random.below(6))
        case .loseEvents: .loseEvents(milliseconds: random.pick([500, 2000, 4000]))
        case .unmount: .unmount(milliseconds: random.pick([2000, 9000]))
        case .partition: .partition(milliseconds: random.pick([3000, 9000, 20_000, 40_000]))
        case .flaky: .flaky(milliseconds: random.pick([3000, 9000]))
        case .serverFault: .serverFault(random.pick(ServerFault.allCases), requests: 1 + random.below(4))
        case .ignore: .ignore(random.pick(["docs/", "*.txt", "Note/", "*.json", "*.jpg", "#"]))
        case .otherAccount: .otherAccount(milliseconds: random.pick([2000, 6000, 12_000]))
        case .endZone: .foreignEndZone(random.pick(ZoneEnding.allCases))
        case .approve: .approve
        default: .overflow
        }
    }
}

extension DenseScene.Theme {
    /// One that comes oftener is named oftener.
    var motifs: [DenseScene.Motif] {
        switch self {
        case .people:
            [
                .swap, .renameAndSaveAnew, .renameOver, .detach, .attach, .renameAttached, .save, .saveOnTwo, .delete,
                .deleteAndSave, .apart, .apart, .rotate, .copy, .away, .away,
            ]
        case .foreignApp:
            [
                .foreignAttach, .foreignAttach, .foreignSave, .foreignDelete, .foreignReplace, .renameAttached, .detach,
                .attach, .save, .saveOnTwo, .renameOver, .renameAndSaveAnew, .apart, .delete, .away,
            ]
        case .crashes:
            [
                .swap, .renameOver, .renameAttached, .detach, .attach, .saveOnTwo, .deleteAndSave, .apart, .kill, .kill,
                .powerLoss, .powerLoss, .badFile, .databaseError, .renameAndSaveAnew, .foreignAttach, .away,
            ]
        case .disk:
            [
                .renameOver, .renameAttached, .detach, .attach, .saveOnTwo, .apart, .diskFull, .diskError, .diskError,
                .overflow, .loseEvents, .unmount, .renameAndSaveAnew, .kill, .copy, .foreignAttach, .badFile,
            ]
        case .turns:
            [
                .ignore, .ignore, .otherAccount, .endZone, .approve, .renameAttached, .detach, .attach, .save,
                .renameOver, .renameAndSaveAnew, .moveFolder, .foreignAttach, .apart, .kill,
            ]
        case .server:
            [
                .serverFault, .serverFault, .serverFault, .flaky, .partition, .renameAttached, .detach, .attach, .save,
                .renameOver, .swap, .apart, .foreignDelete, .delete, .kill, .away,
            ]
        case .folders:
            [
                .moveFolder, .moveFolder, .deleteFolder, .rotate, .attach, .detach, .renameAttached, .saveOnTwo,
                .renameOver, .swap, .apart, .kill, .deleteAndSave,
            ]
        }
    }
}
