import Foundation

/// How far each row is past its target, or short of it, on a logarithmic scale.
package struct TargetPlot {
    package let rows: [Row]
    package let machine: Results.Machine

    package init(rows: [Row], machine: Results.Machine) {
        (self.rows, self.machine) = (rows, machine)
    }

    private let left = 530.0
    private let right = 1110.0
    private let rowHeight = 20.0
    private let top = 96.0

    package func svg() -> String {
        var svg = SVG(width: 1260, height: top + rowHeight * Double(rows.count) + 40)
        svg.text("Banyan against its targets", x: 20, y: 30, size: 18, isBold: true)
        svg.text(
            "\(machine.processor), \(machine.cores) cores, \(Row.short(Double(machine.objects))) objects, "
                + machine.date, x: 20, y: 50, color: "#555")
        svg.text("missed by", x: position(0.3), y: 72, color: "#b45309", anchor: "middle")
        svg.text("better than the target by", x: position(4), y: 72, color: "#166534", anchor: "middle")
        let bottom = top + rowHeight * Double(rows.count)
        for tick in [0.01, 0.1, 1, 10, 100] {
            svg.line(position(tick), top - 6, position(tick), bottom, color: tick == 1 ? "#222" : "#ddd")
            let label = tick < 1 ? "\(Row.short(1 / tick))×" : tick == 1 ? "target" : "\(Row.short(tick))×"
            svg.text(label, x: position(tick), y: top - 10, size: 11, color: "#555", anchor: "middle")
        }
        for (i, row) in rows.enumerated() { draw(row, top + rowHeight * Double(i), &svg) }
        return svg.document()
    }

    private func draw(_ row: Row, _ y: Double, _ svg: inout SVG) {
        let baseline = y + 14
        svg.text(row.id, x: 20, y: baseline, isBold: true)
        svg.text(row.operation, x: 110, y: baseline, size: 11)
        let (start, end) = (position(1), position(row.margin))
        svg.rectangle(
            x: min(start, end), y: y + 4, width: max(abs(end - start), 1.5), height: rowHeight - 8,
            color: row.met ? "#4ade80" : "#fb923c")
        svg.text("\(Row.short(row.banyan)) \(row.unit)", x: right + 12, y: baseline, size: 11)
    }

    /// From a hundredth of the target to a hundred times it; what lies beyond is drawn at the edge.
    private func position(_ margin: Double) -> Double {
        let clamped = margin.isFinite ? min(max(margin, 0.01), 100) : 0.01
        return left + (right - left) * (log10(clamped) + 2) / 4
    }
}
