package import CloudKitWire
package import SyncModel

extension Problem {
    package static func zoneVanished(_ zone: String, batch: String) -> Problem {
        Problem(
            .zoneVanished,
            message:
                "The zone '\(zone)' was deleted on the server, and nobody has filled it again. All files are kept, none "
                + "is sent again.",
            remedy:
                "Run `zonefolder approve \(batch)` to fill the zone from this folder; where another device fills it, "
                + "it goes on by itself.")
    }

    /// A zone of somebody else's that is another one by now, with nothing in it: to fill it is its owner's matter.
    package static func sharedZoneEmptied(_ zone: ZoneID) -> Problem {
        Problem(
            .zoneVanished,
            message:
                "The zone '\(zone.zoneName)' of \(PersonText.owner(of: zone)) was deleted and made anew, and nobody has filled "
                + "it again. All files are kept, none is sent again.",
            remedy: "Ask its owner to put something into it; what is here only goes there by itself then.")
    }

    package static func zoneLeft(_ zone: ZoneID) -> Problem {
        Problem(
            .zoneLeft,
            message:
                "This account left the zone '\(zone.zoneName)' of \(PersonText.owner(of: zone)). All files are kept, "
                + "nothing is sent or received.",
            remedy:
                "To take part again, run `zonefolder accept` with the short GUID of the share; it goes on by itself then."
        )
    }

    package static func zoneChanged(_ zone: String, batch: String) -> Problem {
        Problem(
            .zoneChanged,
            message:
                "By config.toml this folder is '\(zone)' now, another zone than before or one elsewhere. All files are "
                + "kept, none is sent there.",
            remedy:
                "Run `zonefolder approve \(batch)` to make this folder and that zone the same: each gets what the other has."
        )
    }
}
