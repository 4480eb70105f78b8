import ArgumentParser

struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a script that lets a shell complete commands and options.",
        discussion: """
            EXAMPLES
              banyan completions bash > /etc/bash_completion.d/banyan
              banyan completions zsh > ~/.zfunc/_banyan
              banyan completions fish > ~/.config/fish/completions/banyan.fish
            """)

    @Argument(help: "The shell: bash, zsh or fish.", completion: .list(["bash", "zsh", "fish"]))
    var shell: String

    func run() throws {
        guard let kind = CompletionShell(rawValue: shell) else {
            throw ValidationError("There are no completions for '\(shell)': choose bash, zsh or fish.")
        }
        let output = StandardOutput()
        try output.write(Array(Banyan.completionScript(for: kind).utf8))
        try output.endLine()
        try output.flush()
    }
}
