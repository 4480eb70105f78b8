import Foundation

/// A small drawing for each row: nanoseconds per operation against objects, both on a logarithmic scale.
package struct GrowthPlot {
    package let growth: Growth

    package init(growth: Growth) { self.growth = growth }

    private let colors = [Peer.banyan: "#166534", Peer.plain: "#2563eb", Peer.grdb: "#b45309"]
    private let columns = 4
    private let cellWidth = 300.0
    private let cellHeight = 210.0

    package func svg() -> String {
        let lines = growth.lines
        let rows = (lines.count + columns - 1) / columns
        var svg = SVG(width: cellWidth * Double(columns) + 20, height: cellHeight * Double(rows) + 70)
        svg.text("Nanoseconds per operation as the store grows", x: 20, y: 30, size: 18, isBold: true)
        for (i, name) in [Peer.banyan, Peer.plain, Peer.grdb].enumerated() {
            let x = 480 + 110 * Double(i)
            svg.circle(x, 25, radius: 5, color: colors[name] ?? "#222")
            svg.text(name == Peer.plain ? "plain Swift" : name, x: x + 10, y: 30)
        }
        for (i, line) in lines.enumerated() {
            draw(line, x: cellWidth * Double(i % columns) + 20, y: cellHeight * Double(i / columns) + 50, &svg)
        }
        return svg.document()
    }

    private func draw(_ line: Growth.Line, x: Double, y: Double, _ svg: inout SVG) {
        let all = line.nanoseconds.values.joined().filter { $0 > 0 && $0.isFinite }
        guard let least = all.min(), let most = all.max(), let first = growth.sizes.first, let last = growth.sizes.last
        else { return }
        let (low, high) = (floor(log10(least)), max(ceil(log10(most)), floor(log10(least)) + 1))
        let (left, right, top, bottom) = (x + 40, x + cellWidth - 25, y + 24, y + cellHeight - 40)
        func across(_ size: Int) -> Double {
            left + (right - left) * log(Double(size) / Double(first)) / log(max(Double(last) / Double(first), 2))
        }
        func up(_ value: Double) -> Double { bottom - (bottom - top) * (log10(value) - low) / (high - low) }

        svg.text("\(line.id)  \(String(line.operation.prefix(44)))", x: x, y: y + 10, size: 11, isBold: true)
        for power in stride(from: low, through: high, by: 1) {
            let value = pow(10, power)
            svg.line(left, up(value), right, up(value), color: "#e5e5e5")
            svg.text("\(Row.short(value)) ns", x: left - 4, y: up(value) + 4, size: 9, color: "#555", anchor: "end")
        }
        for size in growth.sizes {
            svg.text(
                Row.short(Double(size)), x: across(size), y: bottom + 14, size: 9, color: "#555", anchor: "middle")
        }
        for name in [Peer.grdb, Peer.plain, Peer.banyan] {
            guard let figures = line.nanoseconds[name] else { continue }
            let points = zip(growth.sizes, figures).filter { $0.1 > 0 && $0.1.isFinite }
            svg.path(points.map { (across($0), up($1)) }, color: colors[name] ?? "#222")
        }
    }
}
