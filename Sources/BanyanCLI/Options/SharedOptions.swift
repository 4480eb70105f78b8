import ArgumentParser

struct PathArgument: ParsableArguments {
    @Argument(help: "A store's directory, or a snapshot file (.bsn).", completion: .file())
    var path: String
}

struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON, with sizes in bytes.")
    var json = false

    @OptionGroup var messages: MessageOptions

    var quiet: Bool { messages.quiet }
}

struct MessageOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Say nothing but data and errors.")
    var quiet = false

    @Option(help: ArgumentHelp("Show how far long steps have come, on a terminal.", valueName: "mode"))
    var progress = ProgressMode.auto

    func progressLine() -> ProgressLine { ProgressLine(progress, quiet: quiet) }

    /// Something about the data that whoever reads it should know.
    func note(_ text: String) {
        if !quiet { Messages.put("banyan: \(text)\n") }
    }

    /// What is nice to know for a person who looks on, and noise for everybody else.
    func remark(_ text: @autoclosure () -> String) {
        if !quiet, Messages.isTerminal { Messages.put("\(text())\n") }
    }
}
