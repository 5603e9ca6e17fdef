import SyncCommands

@main
struct Zonefolder {
    static func main() async {
        await ZonefolderCommand.runProgram()
    }
}
