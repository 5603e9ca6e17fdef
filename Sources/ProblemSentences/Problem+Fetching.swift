package import CloudKitWire
package import SyncModel

extension Problem {
    package static func standingToken(of what: String) -> Problem {
        Problem(
            .standingToken,
            message:
                "The server says that there is more to fetch of \(what), but gives no way to it: its sync token stands "
                + "still. Nothing comes or goes until it moves.",
            remedy: "It is asked again each minute. If it stays, only who runs the server can mend it.")
    }

    package static func erroredRecord(_ item: ItemResult<Record>) -> Problem {
        let (name, reason): (String?, String) =
            switch item {
            case .success(let record): (record.recordName, "it has no type or no change tag")
            case .failure(let error): (error.recordName, error.reason ?? error.serverErrorCode.rawValue)
            }
        return Problem(
            .erroredRecord,
            message:
                "The server cannot give \(name.map { "the record '\($0)'" } ?? "a record") of the zone: \(reason). What "
                + "follows it waits, and so do edits here.",
            remedy: "It is asked for again by itself. If it stays, save or delete that record on another device.")
    }

    package static func noCourier(because cause: String, polledEach interval: Duration) -> Problem {
        Problem(
            .noPushes,
            message: "Pushes do not work: \(cause) What others change is asked for each "
                + "\(interval.components.seconds) s instead.",
            remedy:
                "Nothing is lost, and it is tried again by itself. If it stays, see whether a firewall or a proxy ends "
                + "requests that wait for a minute.")
    }

    package static func silentPushes(polledEach interval: Duration) -> Problem {
        Problem(
            .noPushes,
            message: "Pushes do not arrive, although they are waited for. What others change is asked for each "
                + "\(interval.components.seconds) s instead.",
            remedy:
                "Nothing is lost, and subscription and courier are made anew by themselves. If it stays, see whether this "
                + "folder's `.zonefolder` is in use on another machine.")
    }
}
