import BenchKit

extension Growth {
    static let ids = [
        "2-full", "3", "4a", "4a-string", "4b", "4b-string", "5a", "5b", "10a", "10a-random", "10b", "10b-first", "11a",
        "11a-iterate", "11b", "11b-delete", "17",
    ]

    static func measure(_ options: Options, directory: String) async throws -> Growth {
        let sizes =
            options.isSmoke ? [500, 2_000] : [1_000, 10_000, 100_000, 1_000_000].filter { $0 <= options.objects }
        let groups = RowGroup.all.filter { group in group.ids.contains { ids.contains($0) && options.wants($0) } }
        var progress = Progress(of: sizes.count * groups.count)
        var growth = Growth(sizes: sizes)
        for size in sizes {
            var sized = options
            sized.objects = size
            let world = World(sized, directory: directory)
            for group in groups {
                progress.begin("\(size) objects: \(group.title)")
                for row in try await group.measure(world) where ids.contains(row.id) && options.wants(row.id) {
                    growth.add(row)
                }
            }
        }
        progress.end()
        growth.sort()
        return growth
    }
}
