@main
struct Zonefolder {
    static func main() {}
}
