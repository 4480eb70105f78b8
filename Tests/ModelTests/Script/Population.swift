import BanyanCore
import BanyanTesting

/// The numbers of the objects of one branch, by table, to draw from. Those that are gone are noticed when they are
/// drawn.
struct Population {
    private var numbers: [[Int]] = Array(repeating: [], count: RichSchema.schema.types.count)
    /// Objects that were deleted, or whose creation was rolled back.
    private(set) var gone: [Int] = []

    /// What the open transaction made.
    var made: [Int] = []

    mutating func add(_ number: Int, _ table: Int) {
        numbers[table].append(number)
        made.append(number)
    }

    /// Remembers some of the objects that are gone, for operations on such.
    mutating func bury(_ numbers: [Int]) {
        for number in numbers {
            if gone.count < 64 { gone.append(number) } else { gone[number % 64] = number }
        }
    }

    /// A living object of a table.
    ///
    /// - Parameter among: only so many of them are drawn, the same ones for as long as they live.
    mutating func draw(
        _ table: Int, among: Int = .max, _ branch: Branch, _ random: inout SeededGenerator
    ) -> Int? {
        while !numbers[table].isEmpty {
            let index = Int.random(in: 0..<min(among, numbers[table].count), using: &random)
            let number = numbers[table][index]
            if let id = branch.ids[number], branch.model.contains(id) { return number }
            numbers[table].swapAt(index, numbers[table].count - 1)
            numbers[table].removeLast()
            bury([number])
        }
        return nil
    }
}
