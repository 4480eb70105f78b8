import Foundation

/// A drawing in the making: a few shapes on a light ground.
package struct SVG {
    private var parts: [String] = []
    package let width: Double
    package let height: Double

    package init(width: Double, height: Double) {
        (self.width, self.height) = (width, height)
    }

    package mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 12, color: String = "#222", anchor: String = "start",
        isBold: Bool = false
    ) {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        let weight = isBold ? " font-weight=\"bold\"" : ""
        parts.append(
            "<text x=\"\(n(x))\" y=\"\(n(y))\" font-size=\"\(n(size))\" fill=\"\(color)\" text-anchor=\"\(anchor)\"\(weight)>"
                + "\(escaped)</text>")
    }

    package mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, color: String, width: Double = 1)
    {
        parts.append(
            "<line x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\" stroke=\"\(color)\" stroke-width=\"\(n(width))\"/>"
        )
    }

    package mutating func rectangle(x: Double, y: Double, width: Double, height: Double, color: String) {
        parts.append(
            "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(width))\" height=\"\(n(height))\" rx=\"2\" fill=\"\(color)\"/>"
        )
    }

    package mutating func path(_ points: [(x: Double, y: Double)], color: String) {
        let list = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
        parts.append("<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
        for point in points { circle(point.x, point.y, color: color) }
    }

    package mutating func circle(_ x: Double, _ y: Double, radius: Double = 3, color: String) {
        parts.append("<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" fill=\"\(color)\"/>")
    }

    package func document() -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(n(width))" height="\(n(height))" \
        viewBox="0 0 \(n(width)) \(n(height))" font-family="Helvetica, Arial, sans-serif">
        <rect width="100%" height="100%" fill="#fff"/>
        \(parts.joined(separator: "\n"))
        </svg>

        """
    }

    private func n(_ value: Double) -> String { String(format: "%.1f", value) }
}
